/** Display names of formats and purposes. */
export const formatNames = {
  OFAC: 'OFAC',
  UN: 'United Nations',
  EU: 'European Union',
  UK: 'United Kingdom',
  OPENSANCTIONS: 'OpenSanctions',
}
export const purposeNames = { SANCTIONS: 'Sanctions', PEPS: 'Politically exposed persons' }
