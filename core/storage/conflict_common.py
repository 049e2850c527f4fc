"""Words that say little, and words that say the same, as data for comparing statements."""

from __future__ import annotations


def groups(lines: str) -> tuple[tuple[str, ...], ...]:
    """One tuple a line; its parts are separated by `|`, and a line that begins so goes on."""
    rows: list[list[str]] = []
    for line in lines.strip().splitlines():
        parts = [part.strip() for part in line.split("|")]
        if parts[0] or not rows:
            rows.append(parts)
        else:
            rows[-1] += parts[1:]
    return tuple(map(tuple, rows))


def word_set(words: str) -> frozenset[str]:
    """The words of `words`, as tables of them are easiest to read and change."""
    return frozenset(words.split())


STOPS = word_set(
    """
    a an the this that these those it its itself he she they them their his her we us our ours you
    your i me my mine who whom whose what which there here be is are was were been being am do does
    did done doing have has had having will would shall should must may might can could ought need
    needs needed to of and or as by with from than then also too very just only even still already
    always every each all any some such same own other so because since if when while though
    although but however therefore hence otherwise please ever again yet up down out about into
    onto upon via in on at for per during within inside under over between through across along
    let lets get gets got gotten one ones how why where both either well please make sure ensure
    e.g i.e etc whole entire new newly more most much many few lot really quite rather
    actually simply
    generally usually mostly mainly typically normally at least once now nowadays anymore longer
    user's one's say says case way thing
    """
)
GENERIC = word_set(
    """
    use run live listen keep store put set make work host locate manage handle go call name
    need require be have do get start create define contain return happen do serve place save
    last take come belong stay remain base build code project file folder directory value
    default main application app repo service setting option thing stuff system version
    switch move migrate replace rename upgrade change raise follow format convention rule
    decide choose pick prefer want like time pass point refer
    """
)
"""Words nearly every note about a program may have: they count for a third."""

SAME = {
    other: row[0]
    for row in groups(
        """
        use|utilize|utilise|employ
        live|reside|sit|lie|last|locate|place
        database|db
        repository|repo
        config|configuration|configure|configs
        setting|settings
        production|prod
        development|dev
        environment|env
        dependency|dep|deps
        documentation|doc|docs
        postgres|postgresql
        kubernetes|k8s
        javascript|js
        typescript|ts
        directory|folder|dir
        install|installation|installs
        indent|indentation
        deploy|deployment
        approval|approve
        message|msg
        email|e-mail|mail
        begin|start|startup
        maximum|max
        minimum|min
        write|written|author
        automatic|automatically
        error|exception
        function|func|fn
        retain|retention|keep
        package|pkg
        authentication|auth
        administrator|admin
        pr|pull-request
        google cloud|gcp
        mongodb|mongo
        travis ci|travis
        moment.js|moment
        vscode|vs code
        ruff format|ruff
        expire|expiry|expiration
        response|respond|answer|reply
        wrong|incorrect
        nightly|night
        """
    )
    for other in row[1:]
}

IRREGULAR = {
    form: row[0]
    for row in groups(
        """
        run|ran
        use|using|used|uses
        keep|kept
        hold|held
        send|sent
        build|built
        make|made
        choose|chose|chosen
        break|broke|broken
        go|went|gone
        hide|hid|hidden
        forbid|forbade|forbidden
        find|found
        write|wrote|written
        begin|began|begun
        take|took|taken
        give|gave|given
        leave|left
        throw|threw|thrown
        speak|spoke|spoken
        know|knew|known
        become|became
        see|saw|seen
        bring|brought
        buy|bought
        hang|hung
        index|indices|indexes
        child|children
        person|people
        half|halves
        alias|aliases
        status|statuses
        bus|buses
        process|processes
        pass|passes
        does|does
        redis|redis
        class|classes
        analysis|analyses
        basis|bases
        schema|schemas|schemata
        always|always
        lose|lost
        mean|meant
        pay|paid
        tell|told
        say|said
        sleep|slept
        spend|spent
        string|string
        during|during
        thing|things
        nothing|nothing
        staging|staging
        pricing|pricing
        embed|embed
        need|need
        feed|feed
        speed|speed
        exceed|exceed
        shared|shared
        pip|pip
        """
    )
    for form in row
}
