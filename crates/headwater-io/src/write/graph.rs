//! Graphs of documents in the formats of graph programs: GraphML, GEXF, DOT.

use std::collections::HashMap;
use std::fmt::{self, Display};
use std::io::{self, Write};

/// A format of graph programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphFormat {
    /// GraphML 1.0: Gephi, yEd, Cytoscape, networkx, igraph.
    GraphMl,
    /// GEXF 1.3: Gephi, networkx.
    Gexf,
    /// The language of Graphviz.
    Dot,
}

/// A document as a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphNode {
    /// Its name; a second node of the same name gets a number behind it.
    pub id: String,
    /// When it was written.
    pub time: Option<String>,
    /// Where it can be found.
    pub url: Option<String>,
    /// The number of its cluster.
    pub cluster: Option<u32>,
}

/// A pair of nodes, by their places in the list of nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GraphEdge {
    /// The earlier document.
    pub a: u32,
    /// The later document.
    pub b: u32,
    /// How strongly they belong together.
    pub score: f64,
    /// How many chunks they share.
    pub chunks: u32,
}

/// Writes an undirected graph.
pub fn write_graph(
    out: &mut impl Write,
    format: GraphFormat,
    mut nodes: Vec<GraphNode>,
    edges: impl IntoIterator<Item = GraphEdge>,
) -> io::Result<()> {
    tell_apart(&mut nodes);
    match format {
        GraphFormat::GraphMl => graphml(out, &nodes, edges),
        GraphFormat::Gexf => gexf(out, &nodes, edges),
        GraphFormat::Dot => dot(out, &nodes, edges),
    }
}

/// Graph programs know nodes by their names.
fn tell_apart(nodes: &mut [GraphNode]) {
    let mut seen: HashMap<String, u32> = HashMap::with_capacity(nodes.len());
    for node in nodes {
        let times = seen.entry(node.id.clone()).or_insert(0);
        *times += 1;
        if *times > 1 {
            node.id = format!("{}#{times}", node.id);
        }
    }
}

fn graphml(out: &mut impl Write, nodes: &[GraphNode], edges: impl IntoIterator<Item = GraphEdge>) -> io::Result<()> {
    writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
    writeln!(out, r#"<graphml xmlns="http://graphml.graphdrawing.org/xmlns">"#)?;
    for (name, of, kind) in [
        ("label", "node", "string"),
        ("time", "node", "string"),
        ("url", "node", "string"),
        ("cluster", "node", "int"),
        ("score", "edge", "double"),
        ("chunks", "edge", "int"),
    ] {
        writeln!(out, r#"  <key id="{name}" for="{of}" attr.name="{name}" attr.type="{kind}"/>"#)?;
    }
    writeln!(out, r#"  <graph edgedefault="undirected">"#)?;
    for node in nodes {
        let id = xml(&node.id);
        write!(out, r#"    <node id="{id}"><data key="label">{id}</data>"#)?;
        for (key, value) in [("time", &node.time), ("url", &node.url)] {
            if let Some(value) = value {
                write!(out, r#"<data key="{key}">{}</data>"#, xml(value))?;
            }
        }
        if let Some(cluster) = node.cluster {
            write!(out, r#"<data key="cluster">{cluster}</data>"#)?;
        }
        writeln!(out, "</node>")?;
    }
    for GraphEdge { a, b, score, chunks } in edges {
        let (a, b) = (xml(&nodes[a as usize].id), xml(&nodes[b as usize].id));
        writeln!(
            out,
            r#"    <edge source="{a}" target="{b}"><data key="score">{score}</data><data key="chunks">{chunks}</data></edge>"#
        )?;
    }
    writeln!(out, "  </graph>\n</graphml>")
}

fn gexf(out: &mut impl Write, nodes: &[GraphNode], edges: impl IntoIterator<Item = GraphEdge>) -> io::Result<()> {
    writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
    writeln!(out, r#"<gexf xmlns="http://gexf.net/1.3" version="1.3">"#)?;
    writeln!(out, r#"  <graph mode="static" defaultedgetype="undirected">"#)?;
    writeln!(out, r#"    <attributes class="node">"#)?;
    for (name, kind) in [("time", "string"), ("url", "string"), ("cluster", "integer")] {
        writeln!(out, r#"      <attribute id="{name}" title="{name}" type="{kind}"/>"#)?;
    }
    writeln!(out, r#"    </attributes>"#)?;
    writeln!(out, r#"    <attributes class="edge">"#)?;
    writeln!(out, r#"      <attribute id="chunks" title="chunks" type="integer"/>"#)?;
    writeln!(out, "    </attributes>\n    <nodes>")?;
    for node in nodes {
        let id = xml(&node.id);
        write!(out, r#"      <node id="{id}" label="{id}"><attvalues>"#)?;
        for (key, value) in [("time", &node.time), ("url", &node.url)] {
            if let Some(value) = value {
                write!(out, r#"<attvalue for="{key}" value="{}"/>"#, xml(value))?;
            }
        }
        if let Some(cluster) = node.cluster {
            write!(out, r#"<attvalue for="cluster" value="{cluster}"/>"#)?;
        }
        writeln!(out, "</attvalues></node>")?;
    }
    writeln!(out, "    </nodes>\n    <edges>")?;
    for (number, GraphEdge { a, b, score, chunks }) in edges.into_iter().enumerate() {
        let (a, b) = (xml(&nodes[a as usize].id), xml(&nodes[b as usize].id));
        writeln!(
            out,
            r#"      <edge id="{number}" source="{a}" target="{b}" weight="{score}"><attvalues><attvalue for="chunks" value="{chunks}"/></attvalues></edge>"#
        )?;
    }
    writeln!(out, "    </edges>\n  </graph>\n</gexf>")
}

fn dot(out: &mut impl Write, nodes: &[GraphNode], edges: impl IntoIterator<Item = GraphEdge>) -> io::Result<()> {
    writeln!(out, "graph headwater {{")?;
    for node in nodes {
        write!(out, "  {} [", quoted(&node.id))?;
        for (key, value) in [("time", &node.time), ("URL", &node.url)] {
            if let Some(value) = value {
                write!(out, "{key}={} ", quoted(value))?;
            }
        }
        match node.cluster {
            Some(cluster) => writeln!(out, "cluster={cluster}]")?,
            None => writeln!(out, "]")?,
        }
    }
    for GraphEdge { a, b, score, chunks } in edges {
        let (a, b) = (quoted(&nodes[a as usize].id), quoted(&nodes[b as usize].id));
        writeln!(out, "  {a} -- {b} [weight={score} score={score} chunks={chunks}]")?;
    }
    writeln!(out, "}}")
}

/// Text for XML; characters that XML cannot hold at all stand as U+FFFD.
fn xml(text: &str) -> impl Display {
    fmt::from_fn(move |f| {
        text.chars().try_for_each(|c| match c {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '"' => f.write_str("&quot;"),
            // As they are, attributes would turn them into spaces.
            '\t' | '\n' | '\r' => write!(f, "&#{};", u32::from(c)),
            '\0'..='\x1f' | '\u{fffe}' | '\u{ffff}' => f.write_str("\u{fffd}"),
            c => write!(f, "{c}"),
        })
    })
}

/// A string of DOT. A backslash is kept as such by doubling it; only labels give it a meaning.
fn quoted(text: &str) -> impl Display {
    fmt::from_fn(move |f| {
        f.write_str("\"")?;
        text.chars().try_for_each(|c| match c {
            '"' => f.write_str("\\\""),
            '\\' => f.write_str("\\\\"),
            '\n' => f.write_str("\\n"),
            '\0' => f.write_str("\u{fffd}"),
            c => write!(f, "{c}"),
        })?;
        f.write_str("\"")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(format: GraphFormat) -> String {
        let node = |id: &str, url: Option<&str>| GraphNode {
            id: id.into(),
            time: Some("2024-03-05".into()),
            url: url.map(Into::into),
            cluster: url.map(|_| 0),
        };
        let nodes =
            vec![node("a <\"&\\> \u{1}", Some("https://r.example/?a&b")), node("same", Some("x")), node("same", None)];
        let mut out = Vec::new();
        write_graph(&mut out, format, nodes, [GraphEdge { a: 0, b: 1, score: 0.25, chunks: 7 }]).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn names_are_escaped_and_told_apart() {
        let graphml = written(GraphFormat::GraphMl);
        assert!(graphml.contains(r#"<node id="a &lt;&quot;&amp;\&gt; �">"#), "{graphml}");
        assert!(graphml.contains(r#"<node id="same#2">"#), "{graphml}");
        let gexf = written(GraphFormat::Gexf);
        assert!(gexf.contains(r#"value="https://r.example/?a&amp;b""#), "{gexf}");
        assert!(gexf.contains(r#"target="same" weight="0.25""#), "{gexf}");
        let dot = written(GraphFormat::Dot);
        assert!(dot.contains("\"a <\\\"&\\\\> \u{1}\" -- \"same\" [weight=0.25 score=0.25 chunks=7]"), "{dot}");
    }
}
