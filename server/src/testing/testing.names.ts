// Invented names of people and companies for measurements, so many that some are similar, as real ones are. Common first names are combined
// with family names made of syllables, so a few words are frequent and most are rare.
// family names made of syllables, so a few words are frequent and most are rare.
import { readName } from '../screening/screening.names.ts'
import type { SeededRandom } from '../values/seeded-random.ts'

const wordsOf = (text: string): readonly string[] => text.trim().split(/\s+/)

type Culture = {
  given: readonly string[]
  /** A family name consists of one or two syllables and an ending, and may begin with a separate word. */
  syllables: readonly string[]
  endings: readonly string[]
  before?: readonly string[]
  /** The share of people with a second given name or a father's name. */
  middle: number
}

const cultures: readonly Culture[] = [
  {
    given: wordsOf(`ivan sergey dmitry alexander mikhail nikolay andrey vladimir yuri oleg igor viktor pavel roman maxim olga natalia elena
      irina svetlana tatiana anna maria ekaterina galina lyudmila anastasia vera nadezhda yulia`),
    syllables: wordsOf('be lo gra dra kor mi ro sta ti vo za zhu pe tro shcher ma ne kli pri lu bar du gor yar khar sav'),
    endings: wordsOf('nov lev kin nenko ovskiy bovich chuk myuk ryan shin tsov rnov mov'),
    middle: 0.5,
  },
  {
    given: wordsOf(`mohammed ahmad ali hassan hussein omar khalid ibrahim yusuf abdullah mahmoud mustafa tariq samir faisal nasser karim
      fatima aisha zainab maryam khadija layla noor salma huda`),
    syllables: wordsOf('tam rash kar jab has mas sal zub qas dul bagh naj sham hadd far ou wa tha mu ya khal rif naz biz'),
    endings: wordsOf('imi idi ari awi ani ouri alani iri udi ami ebi aoui'),
    before: ['al ', 'al ', 'al-', 'bin ', ''],
    middle: 0.6,
  },
  {
    given: wordsOf(`john james robert michael william david richard thomas charles daniel mary patricia jennifer linda elizabeth susan sarah
      karen emma olivia george peter paul mark simon`),
    syllables: wordsOf('whit brad hart wood green stan hol mill rad black ash fair thorn west ked law brim cal dun ever finch gal hux'),
    endings: wordsOf('ley ford man son field worth well ton ham wick bourne smith stead er'),
    middle: 0.3,
  },
  {
    given: wordsOf(`jose juan carlos luis miguel pedro antonio manuel francisco javier diego alejandro maria carmen ana lucia isabel elena
      sofia rosa teresa pilar marta laura`),
    syllables: wordsOf('gon ro fer mar per gom san ra val men or cas her cor es lo du ba ji za que tri bel'),
    endings: wordsOf('zalez riguez nandez tinez illo ada eras ines inos ano uela alta rubia'),
    before: ['', '', '', 'de la ', 'del '],
    middle: 0.5,
  },
  {
    given: wordsOf(`hans karl dieter wolfgang jürgen stefan andreas michael peter klaus anna ursula monika petra sabine claudia birgit
      jan piotr tomasz krzysztof marek anneli kari lars nils søren jānis andris līga kristīne`),
    syllables: wordsOf('schnei hof bran kel zim berg stein lin hag ko wis no oz kal lie ro ves ek sun grün wei tau jan'),
    endings: wordsOf('der mann ski sson ström iņš bauer feld ler wak ens kamp walski naitis'),
    before: ['', '', '', '', 'von '],
    middle: 0.2,
  },
  {
    given: wordsOf(`wei ming li jun xiao hong lei yan fang hui jing mehmet mustafa ayşe emre kemal deniz zeynep hiroshi kenji yuki akira
      sakura nguyen thi minh anh`),
    syllables: wordsOf('wang zhang chen liu yang huang zhao wu zhou xu sun ma yil öz kara dem çel tana yama suzu wata naka'),
    endings: wordsOf('moto ka guchi maz soy doğan ir ik gun li hua ping tran shima'),
    middle: 0.3,
  },
]

const trades = wordsOf(
  'trading shipping logistics energy minerals capital holdings foods construction electronics textiles marine aviation',
)
const forms = wordsOf('ltd gmbh s.a. llc sia b.v. inc oao d.o.o. plc')

/** First names, trades and legal forms, as they are read: words that many names share. */
export const commonWords: ReadonlySet<string> = new Set(
  [...cultures.flatMap(({ given }) => given), ...trades, ...forms].flatMap((word) => readName(word).words),
)

const capitalised = (text: string): string => text.replace(/(?<![\p{L}])\p{L}/gu, (letter) => letter.toUpperCase())

/** Most have two syllables before the ending, and are rare. */
function inventFamily({ syllables, endings, before = [''] }: Culture, random: SeededRandom): string {
  const stem = random.pick(syllables) + (random.chance(0.7) ? random.pick(syllables) : '')
  return random.pick(before) + stem + random.pick(endings)
}

export function inventPerson(random: SeededRandom): string {
  const culture = random.pick(cultures)
  const names = [random.pick(culture.given), ...(random.chance(culture.middle) ? [random.pick(culture.given)] : [])]
  return capitalised([...names, inventFamily(culture, random)].join(' '))
}

export function inventCompany(random: SeededRandom): string {
  const culture = random.pick(cultures)
  const names = Array.from({ length: random.integer(1, 2) }, () => inventFamily(culture, random))
  return capitalised([...names, random.pick(trades), random.pick(forms)].join(' '))
}
