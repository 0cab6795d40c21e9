// Paths and versions of the peers' programs, most of which cannot report their version.
const { PEERS_BIN: bin = '', BLNK_VERSION: blnk = '', FORMANCE_VERSION: formance = '', FORMANCE_3_VERSION: formance3 = '' } = process.env

export const settings = { bin, versions: { blnk, formance, formance3 } }
