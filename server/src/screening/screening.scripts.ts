// Words of other scripts in Latin letters: Greek letter by letter, Chinese names by their sounds. A name in Latin letters is the same name, so its
// score is that of the Latin name, and a name whose sounds do not say who is meant stays unread.
import { readFileSync } from 'node:fs'

/** Greek letters without their marks, as in passports (ELOT 743). */
const greek: Readonly<Record<string, string>> = Object.fromEntries(
  'α:a β:v γ:g δ:d ε:e ζ:z η:i θ:th ι:i κ:k λ:l μ:m ν:n ξ:x ο:o π:p ρ:r σ:s ς:s τ:t υ:y φ:f χ:ch ψ:ps ω:o ϲ:s'
    .split(' ')
    .map((pair) => pair.split(':')),
)

/** Several letters that are one sound. The first that fits counts. */
const greekSounds: readonly (readonly [RegExp, string])[] = [
  [/^μπ/g, 'b'],
  [/ου/g, 'ou'],
  [/γ(?=[γξχ])/g, 'n'],
  [/(?<=[αεη])υ(?=[θκξπσςτφχψ]|$)/g, 'f'],
  [/(?<=[αεη])υ/g, 'v'],
]

/** A Greek word in lower case without marks; undefined for any other word, and for one that mixes scripts, which may be a disguise. */
export function romaniseGreek(word: string): string | undefined {
  if (!/^[α-ωϲ]+$/.test(word)) return undefined
  let read = word
  for (const [letters, sound] of greekSounds) read = read.replace(letters, sound)
  return read.replace(/[α-ωϲ]/g, (letter) => greek[letter] ?? letter)
}

const hanFile = new URL('./screening.han.txt', import.meta.url)
let sounds: ReadonlyMap<string, string> | undefined

/** How Chinese characters are read in Mandarin, without tones. The table is read when the first Chinese name is. */
function soundsOfHan(): ReadonlyMap<string, string> {
  sounds ??= new Map(
    readFileSync(hanFile, 'utf8')
      .split('\n')
      .flatMap((line) => {
        const [sound = '', characters = ''] = line.split(' ')
        return Array.from(characters, (character) => [character, sound] as const)
      }),
  )
  return sounds
}

/** The usual family names, in simplified and, where they differ, in traditional characters. */
const familyNames: ReadonlySet<string> = new Set(
  `赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜戚谢邹喻柏水窦章云苏潘葛奚范彭郎鲁韦昌马苗凤花方俞任袁柳酆鲍史唐费廉岑薛雷贺倪汤滕殷罗毕郝邬安常乐于时傅皮卞齐康伍余元卜顾孟平黄和穆萧尹姚邵湛汪祁毛禹狄米贝明臧计伏成戴谈宋茅庞熊纪舒屈项祝董梁杜阮蓝闵席季麻强贾路娄危江童颜郭梅盛林刁钟徐邱骆高夏蔡田樊胡凌霍虞万支柯昝管卢莫经房裘缪干解应宗丁宣贲邓郁单杭洪包诸左石崔吉钮龚程嵇邢滑裴陆荣翁荀羊於惠甄曲家封芮羿储靳汲邴糜段富巫乌焦巴弓牧隗谷车侯宓蓬全郗班仰秋仲伊宫宁仇栾暴甘钭厉戎祖武符刘景詹束龙叶幸司韶郜黎蓟薄印宿白怀蒲邰从鄂索咸籍赖卓蔺屠蒙池乔阴鬱胥能苍双闻莘党翟谭贡劳逄姬申扶堵冉宰郦雍郤璩桑桂濮牛寿通边扈燕冀郏浦尚农温别庄晏柴瞿阎充慕连茹习宦艾鱼容向古易慎戈廖庾终暨居衡步都耿满弘匡国文寇广禄阙东欧殳沃利蔚越夔隆师巩厍聂晁勾敖融冷訾辛阚那简饶空曾毋沙乜养鞠须丰巢关蒯相查后荆红游竺权逯盖益桓公仉督岳帅缑亢况郈有琴归海晋楚闫法汝鄢涂钦商牟佘佴伯赏墨哈谯笪年爱阳佟言福肖覃辜揭付代仝冼练仉逯官
趙錢孫吳鄭馮陳衛蔣韓楊許呂張嚴華謝鄒竇雲蘇魯韋馬鳳費賀湯羅畢鄔樂時齊顧黃蕭貝計談龐紀項閔賈婁顏鍾駱萬盧經繆應賁鄧單諸鈕龔陸榮儲段烏車侯宮寧欒鈄厲劉龍葉薊懷從賴藺喬陰蒼雙聞黨譚貢勞酈壽邊農溫莊閻連習魚終滿國廣祿闕東歐師鞏聶簡饒養須豐關權蓋況歸晉閆塗欽賞譙愛陽練`.replace(
    /\s/g,
    '',
  ),
)
const longFamilyNames: ReadonlySet<string> = new Set(
  `欧阳 司马 上官 诸葛 尉迟 皇甫 东方 公孙 慕容 令狐 司徒 夏侯 轩辕 长孙 宇文 端木 独孤 南宫 闻人 澹台 淳于 单于 申屠 钟离 呼延 百里 拓跋 完颜 赫连
  歐陽 司馬 諸葛 尉遲 東方 公孫 夏侯 軒轅 長孫 獨孤 南宮 聞人 單于 鍾離 赫連`.split(/\s+/),
)

/** Characters that are read otherwise as family names. */
const soundsOfFamilyNames: Readonly<Record<string, string>> = Object.fromEntries(
  '曾:zeng 单:shan 單:shan 解:xie 仇:qiu 朴:piao 区:ou 區:ou 查:zha 盖:ge 蓋:ge 乐:yue 樂:yue 缪:miao 繆:miao 任:ren 薄:bo 翟:zhai 纪:ji 紀:ji 宁:ning 寧:ning 那:na 尉迟:yuchi 尉遲:yuchi 长孙:zhangsun 長孫:zhangsun 单于:chanyu 單于:chanyu'
    .split(' ')
    .map((pair) => pair.split(':')),
)

/**
 * The words of a Chinese personal name, as family name and given name: 习近平 as xi jinping. Undefined for everything else in Chinese
 * characters: companies and foreigners have names whose sounds say nothing, and Japanese names are read differently.
 */
export function romaniseHan(name: string): readonly string[] | undefined {
  const family = longFamilyNames.has(name.slice(0, 2)) ? name.slice(0, 2) : name.slice(0, 1)
  const given = name.slice(family.length)
  if (given.length < 1 || given.length > 2 || (family.length === 1 && !familyNames.has(family))) return undefined
  const known = soundsOfHan()
  const soundOf = (characters: string) => Array.from(characters, (character) => known.get(character))
  const familySounds = soundsOfFamilyNames[family]?.split(' ') ?? soundOf(family)
  const all = [...familySounds, ...soundOf(given)]
  if (all.includes(undefined)) return undefined
  return [familySounds.join(''), soundOf(given).join('')]
}
