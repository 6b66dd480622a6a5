//! The paper's own figures, to stand beside ours: Tables 1 to 11 of section 3, blogs unless it says otherwise.

/// The best of each kind of selection, and All. Of hash-breaking and DCT the reading that has the shares of Table 3.
pub(super) const BEST: [&str; 7] = ["All", "NHs", "4th", "NW8", "NM3", "JHb3", "JDct8"];

/// The memory sizes in MB, as the paper heads its rows.
pub(super) const SIZES: [u32; 8] = [5000, 2000, 1000, 500, 200, 100, 50, 20];

/// The sizes whose rows Tables 5, 6, 8, 9 and 10 print.
pub(super) const PRINTED: [usize; 3] = [0, 3, 6];

/// Table 1 without its first column: documents, shingles, shingles a document, with dominant origin, tokens in a copied
/// block, shingle copy ratio; and from the text of 3.2 own dominant origin and fresh tokens, in per cent.
pub(super) const TABLE_1: [(&str, [&str; 8]); 2] = [
    ("blogs", ["8,666,731", "1.71 bil.", "197", "94%", "17", "0.36", "62%", "57%"]),
    ("Swiss", ["1,360,393", "0.78 bil.", "570", "92%", "13", "0.16", "69%", "61%"]),
];

/// Table 2: which percentage of all shingles fits, on blogs and on Swiss.
pub(super) const TABLE_2: [[f64; 8]; 2] =
    [[34.2, 13.7, 6.8, 3.3, 1.4, 0.7, 0.3, 0.1], [57.5, 23.0, 11.5, 5.8, 2.3, 1.2, 0.6, 0.2]];

/// Table 3: ssr in per cent. Hash-breaking has that of DCT.
pub(super) const TABLE_3: [(&str, f64); 33] = [
    ("4th", 25.0),
    ("6th", 17.0),
    ("8th", 13.0),
    ("NM2", 15.0),
    ("NM3", 15.0),
    ("M4", 25.0),
    ("NM4", 14.0),
    ("M5", 20.0),
    ("NM5", 14.0),
    ("M6", 16.0),
    ("NM6", 12.5),
    ("M7", 14.0),
    ("NM7", 11.0),
    ("M8", 12.0),
    ("NM8", 10.0),
    ("NW5", 16.0),
    ("NW6", 17.0),
    ("NW7", 16.5),
    ("W8", 23.5),
    ("NW8", 17.0),
    ("W9", 21.0),
    ("NW9", 16.0),
    ("JHb3", 20.0),
    ("JHb4", 15.0),
    ("JHb5", 12.0),
    ("JHb6", 10.0),
    ("JHb8", 8.0),
    ("JDct3", 20.0),
    ("JDct4", 15.0),
    ("JDct5", 12.0),
    ("JDct6", 10.0),
    ("JDct8", 8.0),
    ("NHs", 17.0),
];

/// Table 4: DO with R and NB, a row for each size and the average.
pub(super) const TABLE_4: [[f64; 7]; 9] = [
    [83.2, 98.8, 89.5, 98.2, 96.7, 96.9, 90.0],
    [79.8, 97.3, 83.2, 96.2, 95.7, 95.6, 90.0],
    [77.2, 84.6, 78.5, 84.3, 85.1, 84.6, 89.5],
    [75.7, 79.8, 76.5, 79.5, 79.4, 79.3, 82.8],
    [74.3, 77.5, 75.1, 77.3, 77.3, 77.1, 77.6],
    [73.6, 75.8, 74.0, 75.7, 75.7, 75.6, 76.3],
    [73.2, 74.7, 73.4, 74.6, 74.6, 74.6, 75.3],
    [72.9, 73.7, 72.8, 73.6, 73.7, 73.6, 74.0],
    [76.2, 82.8, 77.9, 82.4, 82.3, 82.2, 81.9],
];

/// Table 5: DO with LS and BE at 5000, 500 and 50 MB, and the average.
pub(super) const TABLE_5: [[f64; 7]; 4] = [
    [99.2, 98.5, 88.9, 98.0, 96.3, 96.8, 85.1],
    [90.6, 93.7, 86.0, 92.9, 92.0, 91.8, 85.1],
    [79.7, 84.3, 79.6, 83.5, 83.1, 82.5, 82.8],
    [88.0, 91.0, 84.0, 90.2, 89.3, 89.2, 84.1],
];

/// Table 6: TF with R and NB, then with LS and BE.
pub(super) const TABLE_6: [[[f64; 7]; 4]; 2] = [
    [
        [97.7, 93.7, 89.7, 93.4, 91.6, 90.7, 87.5],
        [86.9, 86.2, 82.7, 86.2, 84.9, 84.8, 84.4],
        [78.2, 77.2, 75.0, 77.3, 76.5, 77.1, 77.3],
        [85.7, 84.5, 81.1, 84.3, 83.2, 83.1, 82.5],
    ],
    [
        [98.4, 93.6, 89.7, 93.5, 91.7, 90.8, 86.2],
        [90.5, 89.6, 85.1, 89.4, 88.1, 88.1, 85.9],
        [81.4, 81.6, 77.9, 81.4, 80.5, 81.6, 82.7],
        [87.9, 87.2, 83.2, 87.0, 85.8, 86.0, 84.6],
    ],
];

/// Table 7: the overall score with R and NB (A) and with LS and BE (B), on blogs and on Swiss.
pub(super) const TABLE_7: [(&str, [f64; 7]); 4] = [
    ("Blogs A", [81.0, 83.6, 79.5, 83.4, 82.7, 82.6, 82.2]),
    ("Blogs B", [87.9, 89.1, 83.6, 88.7, 87.6, 87.6, 84.3]),
    ("Swiss A", [80.9, 81.6, 76.0, 81.4, 81.8, 81.1, 79.3]),
    ("Swiss B", [90.6, 88.0, 79.2, 87.6, 87.7, 86.7, 59.7]),
];

/// Two halves of four columns: DO at 5000, 500 and 50 MB and on average, TF likewise, and the overall score.
pub(super) struct Halves {
    pub(super) origin: [[f64; 8]; 4],
    pub(super) freshness: [[f64; 8]; 4],
    pub(super) overall: [f64; 8],
}

/// Table 8: All, then NHs, each with R, LRU, CC and LS; no estimation.
pub(super) const TABLE_8: Halves = Halves {
    origin: [
        [83.2, 93.0, 96.1, 95.0, 98.8, 98.8, 98.8, 98.8],
        [75.7, 77.6, 80.9, 80.7, 79.8, 88.2, 93.1, 87.5],
        [73.2, 73.4, 72.6, 73.5, 74.7, 75.9, 78.5, 77.8],
        [76.2, 78.9, 81.1, 80.4, 82.8, 86.0, 88.3, 86.7],
    ],
    freshness: [
        [97.6, 96.1, 96.8, 98.6, 93.5, 93.5, 93.5, 93.5],
        [86.9, 83.8, 84.1, 89.6, 86.2, 88.1, 88.8, 86.0],
        [78.2, 76.7, 71.8, 79.8, 77.2, 77.9, 75.1, 77.1],
        [85.7, 83.7, 81.8, 87.7, 84.3, 85.3, 84.2, 84.4],
    ],
    overall: [80.7, 81.3, 81.4, 84.1, 83.5, 85.6, 86.2, 85.5],
};

/// Table 9: NHs with CC, then with LS, each with NB, E, B and BE.
pub(super) const TABLE_9: Halves = Halves {
    origin: [
        [98.8, 98.8, 97.4, 98.5, 98.8, 98.8, 97.4, 98.5],
        [93.1, 93.1, 92.1, 92.7, 87.5, 92.3, 92.6, 93.7],
        [78.5, 78.8, 77.9, 79.2, 77.8, 82.4, 83.0, 84.3],
        [88.3, 88.7, 87.6, 88.4, 86.7, 89.7, 89.7, 91.0],
    ],
    freshness: [
        [93.5, 93.5, 93.6, 93.6, 93.5, 93.5, 93.6, 93.6],
        [88.8, 88.6, 89.3, 88.6, 86.0, 88.4, 89.5, 89.6],
        [75.1, 75.5, 76.4, 75.8, 77.1, 80.0, 81.5, 81.6],
        [84.2, 84.2, 85.0, 84.5, 84.4, 86.2, 87.1, 87.2],
    ],
    overall: [86.2, 86.4, 86.3, 86.5, 85.5, 87.9, 88.4, 89.1],
};

/// Table 10: All with CC, then with LS. Its two halves are exchanged in print (its TF of All+LS+BE is the DO of Table 5, and
/// the other way round); here they are in their places.
pub(super) const TABLE_10: Halves = Halves {
    origin: [
        [96.1, 96.6, 95.2, 96.1, 95.0, 99.5, 97.9, 99.2],
        [80.9, 82.9, 82.1, 82.3, 80.7, 90.2, 89.2, 90.6],
        [72.6, 75.5, 74.4, 75.3, 73.4, 78.9, 78.2, 79.7],
        [81.0, 82.7, 81.5, 82.3, 80.3, 87.7, 86.6, 87.9],
    ],
    freshness: [
        [96.8, 96.6, 96.6, 96.4, 98.6, 98.5, 98.4, 98.4],
        [84.1, 84.0, 84.4, 83.8, 89.6, 90.5, 90.3, 90.5],
        [71.8, 71.9, 72.0, 71.9, 79.8, 81.3, 81.2, 81.4],
        [81.8, 81.8, 81.9, 81.7, 87.7, 88.5, 88.4, 88.6],
    ],
    overall: [81.4, 82.2, 81.7, 82.0, 84.0, 88.1, 87.5, 88.3],
};

/// Table 11: extra-labelled shingles and the percentage of them that is right, NHs with LS and BE.
pub(super) const TABLE_11: [(u32, f64); 8] = [
    (6694, 10.5),
    (8139, 30.8),
    (33003, 84.8),
    (122_614, 96.6),
    (163_484, 98.3),
    (155_107, 98.6),
    (154_093, 98.8),
    (133_737, 98.6),
];
