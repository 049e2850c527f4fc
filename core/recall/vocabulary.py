"""Words that say little: left out of a question, or counted for less.

English and German; words of other languages are looked for as they stand. `core/text/everyday.py`
has lists of its own, for another question: how like two texts are. One list for both was measured
on what was left out: MRR of our own projects -1.5, of conversations +1.1.
"""

_GRAMMAR = """
a about above after again against all also am an and another any anyone anything anyway are
aren around as at away back be because been before being below between both but by came can
cannot come could couldn d did didn do does doesn doing don down during each either else even
ever every everything few first for from further get gets getting give given go goes going
gone got had hadn has hasn have haven having he her here hers him his how i if in instead into
is isn it its itself just keep kind last least less let like ll look lot m made make makes
making many may maybe me mean means might mine more most much must mustn my myself need needs
neither never new no nor not nothing now of off often on once one only or other our ours out
over own per put quite rather re really s same say see seem seems shall she should shouldn
since so some somehow someone something sort still such sure t take than that the their them
then there these they thing things think this those though through to too towards under until
up upon us use used uses using ve very via want wants was wasn way we well were weren what
whatever when where whether which while who whom whose why will with within without won would
wouldn yes yet you your yours e.g i.e etc able actually already always best better currently
exactly help know known must remember right tell today
"""

_GERMAN = """
aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei beim
bis bist da dabei dadurch dafür daher damit dann daran darauf daraus darf darin darum darüber das
dass davon dazu dein deine dem den denn der deren des deshalb dich die dies diese diesem diesen
dieser dieses dir doch dort du durch ein eine einem einen einer eines er es etwa etwas euch euer
für gab gegen geht gerade gern gewesen gibt ging habe haben hat hatte hatten hier hinter ich ihm
ihn ihnen ihr ihre ihrem ihren ihrer im in indem ins ist ja jede jedem jeden jeder jedes jetzt
kann kannst kein keine keinem keinen keiner kommt können könnte machen macht man manche mehr mein
meine mich mir mit muss musst müssen nach nachdem nicht nichts noch nun nur ob oder ohne sehr sei
sein seine seit selbst sich sie sind so solche soll sollen sollte sollten sondern sonst über um
und uns unser unsere unter viel vom von vor wann war waren warum was weil weiter welche welchem
welchen welcher welches wenn wer werde werden weshalb wie wieder wieso will wir wird wo wofür
woher wohin womit worauf worden worin worum wurde wurden während zu zum zur zwar zwischen bitte
danke heute gestern mal schon genau
"""

_SMALL_TALK = """
ahead alright awesome bye cheers continue cool excellent fine good great guess hello hey hi
hmm lgtm looks nice nope ok okay perfect please proceed sorry sounds thank thanks thx wait
welcome works wow yeah yep yup done next again try
"""

_COMMON = """
add added adding app application bug bugs build change changed changes check class code command
create data default delete doc docs error errors example explain fail failed failing fails
feature file files find fix fixed folder function functions handle implement implementation
improve issue issues line lines list method module move name names open output problem project
read refactor remove rename repo result return returns run running runs server set setup show
start stop string support system task tasks test tests text time todo tool type types update
value values variable version work working write writing wrong
"""

_WORK = """
agent base branch call case claude commit current feel git github hook main option plan pr prompt
pull push request review session specific top user
continue merge proceed rebase ship
"""

_ENDINGS = """
bash c cc cfg conf cpp cs css csv env go h hpp html ini ipynb java js json jsx kt lock log md
mjs php proto py pyi rb rs rst scss sh sql svelte swift tf toml ts tsx txt vue xml yaml yml
"""

STOP_WORDS = frozenset(f"{_GRAMMAR} {_GERMAN} {_SMALL_TALK}".split())
"""What holds a sentence together, and what people say to keep an agent company."""

COMMON_WORDS = frozenset(_COMMON.split())
"""Words that nearly every note about a program has."""

WORK_WORDS = frozenset(_WORK.split())
"""What work with an agent is spoken of in, whatever it is about: what people of every sixth of 67
public projects say to theirs, and orders to go on."""

FILE_ENDINGS = frozenset(_ENDINGS.split())
"""Endings by which a word is known as the name of a file."""

NO_PARTS = FILE_ENDINGS | STOP_WORDS | {"http", "https", "www", "com", "org"}
"""Pieces of paths and identifiers that are not looked for by themselves."""
