// Words that say nothing about who is meant. They are removed from a name before it is compared, unless nothing else would be left.

const wordsOf = (text: string): readonly string[] => text.trim().split(/\s+/)

/** Forms of address, ranks and academic degrees. */
export const titles = wordsOf(`
  mr mrs ms miss mx dr drs prof professor sir dame madam mme mlle monsieur madame herr frau fru hr ing dipl phd mba president
  senor senora sr sra jr signor signora sheikh shaykh sheik shaikh hajji haji hadji mullah maulavi mawlawi
`)

/** Legal forms of companies, abbreviated and in full. Those written with full stops (S.A.) are recognised by their letters. */
export const legalForms = wordsOf(`
  co company companies ltd limited llc llp lp inc incorporated corp corporation plc gmbh ag kg ohg kgaa mbh ug sa sas sarl sasu
  srl spa snc bv nv vof oy oyj ab as asa aps hf ehf sp zoo sro doo dd ad ead ood eood kft zrt nyrt uab
  sia ou ooo oao zao pao ao jsc ojsc cjsc pjsc ltda eirl pte pty bhd sdn fze fzc fzco dmcc wll kk
  akg bvba sprl cvba scrl pllc lllp pvt spzoo sapi sadecv
  aktiengesellschaft aktiebolag aktieselskab osakeyhtio
`)

/** Legal forms of several words, as they are read. */
export const longLegalForms: readonly (readonly string[])[] = `
  gesellschaft mit beschrankter haftung
  public limited company
  limited liability company
  limited liability partnership
  limited partnership
  private limited company
  open joint stock company
  closed joint stock company
  public joint stock company
  private joint stock company
  joint stock company
  societe anonyme
  societe a responsabilite limitee
  societa per azioni
  societa a responsabilita limitata
  sociedad de responsabilidad limitada
  sociedade anonima
  sociedade limitada
  besloten vennootschap
  naamloze vennootschap
  spolka z ograniczona odpowiedzialnoscia
  spolka akcyjna
  obshchestvo s ogranichennoi otvetstvennostyu
  otkrytoe aktsionernoe obshchestvo
  zakrytoe aktsionernoe obshchestvo
  publichnoe aktsionernoe obshchestvo
  nepublichnoe aktsionernoe obshchestvo
  aktsionernoe obshchestvo
  tovaristvo z obmezhenoyu vidpovidalnistyu
  publichne aktsionerne tovaristvo
  anonim sirketi
  limited sirketi
  s a de c v
  sa de cv
`
  .trim()
  .split('\n')
  .map(wordsOf)

/** Articles, prepositions, conjunctions and parts of names that are often left out or written differently. */
export const particles = wordsOf(`
  the of and for in de del della di da do dos das du des la le les el al ul bin bint ben ibn abu abou umm
  van von vom zu zur der den dem ter und y e et i af av
`)

export const omitted: ReadonlySet<string> = new Set([...titles, ...legalForms, ...particles])
