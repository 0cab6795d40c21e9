// Where the programs of the peers are, and which versions they are: most of them do not say it themselves.
const { PEERS_BIN: bin = '', BLNK_VERSION: blnk = '', FORMANCE_VERSION: formance = '', FORMANCE_3_VERSION: formance3 = '' } = process.env

export const settings = { bin, versions: { blnk, formance, formance3 } }
