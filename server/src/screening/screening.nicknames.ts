// First names and what people call each other instead, in the form in which names are read. Each line is one name.

const lines = `
abdul abdel abdal
abigail abby gail
abraham abe avraham ibrahim ebrahim
albert al bert albrecht
alexander alex alec aleksandr alexandre alejandro alessandro aleksander oleksandr sasha sanya xander sandro iskander
alexandra alex aleksandra sasha sandra
alexei alexey aleksei alyosha oleksii alexis
alfred alf fred
anastasia anastasiya nastya
andrew andy drew andrei andrey andriy andrzej andreas andre andrea andres anders
ann anne anna annie nancy hannah
anthony tony anton antonio antoine antoni
arthur art artur arturo
barbara barb babs
benjamin ben benny bibi benji binyamin
bernard bernie bernhard
boris borya
catherine kate katie kathy cathy katherine kathryn katarina ekaterina yekaterina katya caterina catalina
charles charlie chuck carl karl carlos carlo karel
christian chris cristian kristian
christine chris christina tina kristina
christopher chris kit christoph cristobal kristof
daniel dan danny daniil danila
david dave davy dawid dovid daud
deborah deb debbie
dmitry dmitri dima dmytro mitya dimitri
donald don donny
dorothy dot dottie
edward ed eddie ted teddy ned eduard eduardo edouard edvard
eleanor ellie nell nora
elizabeth liz lizzie beth betty betsy eliza elisabeth elizaveta liza elisabetta isabel
emmanuel manny manuel emanuel
eugene gene evgeny evgeni yevgeny yevgeni yevhen zhenya evgenii
evgenia yevgenia zhenya
ferdinand fernando ferdi
francis frank fran francisco francesco paco pancho francois franz frantisek franciszek
frederick fred freddie friedrich fredrik frederic federico fryderyk
gabriel gabe gavriil
galina galya
george georgy georgi georgios giorgi giorgio jorge jorg georges jerzy yuri yury iurii
gerald gerry jerry gerard gerhard gerardo
gregory greg grigory grigori hryhorii gregor gregorio grzegorz
gustav gus gustavo
harold hal harry harald
henry hank harry hal heinrich henri enrique enrico henrik hendrik henryk
hugh hugo ugo
hussein husain hussain hossein husayn
irina ira iryna
isaac ike izaak yitzhak
jacob jake jakob yakov jack jacobo jakub yaakov
james jim jimmy jamie jaime diego jacques giacomo iago
jeffrey jeff geoffrey geoff
jessica jess jessie
john jack johnny jon jonny ivan ioann johann johannes jean juan giovanni joao jan hans vanya yohan sean ian evan
jonathan jon jonny yonatan
joseph joe joey jose giuseppe josef jozef iosif yosef pepe yusuf youssef yousef
joshua josh yehoshua
julia julie yulia iuliia
kenneth ken kenny
konstantin constantine kostya kostiantyn costas konstantinos
lawrence larry laurence lorenzo laurent
leonard len lenny leonardo leonid leon leo lev
louis lou lewis luis luigi ludwig lajos
margaret maggie meg peggy rita greta margarita marguerite gretchen
maria mary marie mariya masha miriam molly mariam maryam
mark marc marco marcos marcus marek
martin marty martino marcin
matthew matt matteo mateo matthias matthieu matvei mateusz
maxim max maksim maksym maximilian
melissa mel lissa
michael mike mick mickey mikhail misha michel miguel michele mykhailo mikael michal mihail mihai
mohammad mohammed muhammad mohamed muhammed mohamad mehmet mahomet
natalia natasha nataliya natalie
nathan nate nathaniel natan
nicholas nick nicky nikolai nikolay kolya nicolas nicola niccolo mykola mikolaj nikolaos klaus nicolae
oleg oleh
olga olha olya
oliver ollie olivier
pamela pam
patrick pat paddy patricio
patricia pat patty tricia trish
paul pablo paolo pavel pavlo pal paulo pawel pasha
peter pete pedro pyotr petr petro pietro pierre piotr petya
philip phil felipe filippo philippe filip
rachel rae raquel
raphael rafael raffaele rafa
raymond ray ramon raimondo
rebecca becky becca
richard dick rick ricky rich ricardo riccardo
robert bob bobby rob robbie bert roberto robbe
roland rolando orlando
ronald ron ronnie
rose rosa rosie
samuel sam sammy shmuel
sarah sally sara
sergei sergey sergio serge serhii serhiy seryozha
simon semyon simeon shimon simone
stephen steve steven stefan stepan esteban stefano etienne stephane istvan szczepan stevie
susan sue susie suzanne susanna
svetlana sveta svitlana
tatiana tanya tatyana tetiana
theodore ted teddy theo fyodor fedor feodor teodoro fedya
theresa terry tess tessa teresa
thomas tom tommy tomas tommaso foma tomasz
timothy tim timmy timofei timur
valentin valya valentino
vasily vasiliy vasyl vasya basil vasilios
veronica ronnie vera
victor viktor vic vitya vittorio victoire
victoria vicky viktoria vika
vincent vince vinny vincenzo vicente
vladimir vlad vova volodymyr volodya wladimir vladimiro wlodzimierz
vladislav vlad vladyslav wladyslaw slava
vyacheslav slava viacheslav
walter walt wally
william bill billy will willy willie liam guillermo guillaume wilhelm guglielmo willem
yaroslav jaroslav slava
zachary zach zack
`

const bySynonym = new Map<string, Set<string>>()
for (const line of lines.trim().split('\n')) {
  const names = line.split(' ')
  for (const name of names) {
    const known = bySynonym.get(name) ?? new Set()
    for (const other of names) if (other !== name) known.add(other)
    bySynonym.set(name, known)
  }
}

const none: ReadonlySet<string> = new Set()

/** What else a person of this first name may be called. */
export function nicknamesOf(word: string): ReadonlySet<string> {
  return bySynonym.get(word) ?? none
}
