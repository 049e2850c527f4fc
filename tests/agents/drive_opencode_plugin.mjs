// The plugin in Node, with a stand-in for memdeck-hook: `node --test tests/agents/`.
// Needs no package and no network. `make clients` runs the plugin in OpenCode itself.
import assert from "node:assert/strict"
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { after, test } from "node:test"
import { fileURLToPath, pathToFileURL } from "node:url"

const here = dirname(fileURLToPath(import.meta.url))
const template = readFileSync(join(here, "../../hosts/opencode/plugin.js"), "utf8")
const root = mkdtempSync(join(tmpdir(), "memdeck plugin "))
after(() => rmSync(root, { recursive: true, force: true }))

const EVERY =
  "session.created subagent.created session.compacted session.deleted dispose chat.message " +
  "session.idle todo.updated experimental.session.compacting tool.execute.before " +
  "tool.execute.after session.error"
let count = 0

// A plugin with a hook of its own, which notes what it is given and answers with `reply`.
const plugged = async ({ events = EVERY, reply, hook, env = {} } = {}) => {
  const place = join(root, `${++count}`)
  const log = `${place}.jsonl`
  const path = hook ?? `${place} hook`
  if (!hook) {
    const answer = reply ?? "JSON.stringify({ text: `told ${process.argv[3]}` })"
    const lines = [
      `#!${process.execPath}`,
      `const fs = require("node:fs")`,
      `const given = JSON.parse(fs.readFileSync(0, "utf8"))`,
      `const home = process.env.MEMDECK_HOME`,
      `const line = JSON.stringify({ words: process.argv.slice(2), given, home })`,
      `fs.appendFileSync(${JSON.stringify(log)}, line + "\\n")`,
      `process.stdout.write(String(${answer}))`,
    ]
    writeFileSync(path, lines.join("\n"))
    chmodSync(path, 0o755)
  }
  const quoted = (text) => JSON.stringify(text).slice(1, -1)
  const text = template
    .replace("@HOOK@", quoted(path))
    .replace("@HOME@", "/some home")
    .replace("@EVENTS@", events)
  writeFileSync(`${place}.mjs`, text)
  Object.assign(process.env, env)
  const { Memdeck } = await import(pathToFileURL(`${place}.mjs`).href)
  const hooks = await Memdeck({ directory: "/p", worktree: "/w" })
  for (const name of Object.keys(env)) delete process.env[name]
  const heard = () =>
    existsSync(log) ? readFileSync(log, "utf8").trim().split("\n").map((l) => JSON.parse(l)) : []
  const names = () => heard().map((one) => one.words[1])
  return { hooks, heard, names }
}

const event = (type, properties) => ({ event: { type, properties } })
const created = (id, parentID, title) => event("session.created", { info: { id, parentID, title } })
const prompt = (text = "why?") => ({
  message: { id: "msg_1" },
  parts: [{ id: "prt_1", type: "text", text }],
})
const settled = async (ready) => {
  for (let i = 0; i < 100 && !ready(); i++) await new Promise((go) => setTimeout(go, 50))
}

test("a prompt gets a part of its own, later than its own words", async () => {
  const { hooks, heard } = await plugged()
  await hooks.event(created("ses_1"))
  const output = prompt()
  await hooks["chat.message"]({ sessionID: "ses_1" }, output)
  const [, part] = output.parts
  assert.match(part.id, /^prt_[0-9a-f]{26}$/)
  assert.deepEqual(
    { ...part, id: "" },
    {
      id: "",
      messageID: "msg_1",
      sessionID: "ses_1",
      type: "text",
      text: "told chat.message",
      synthetic: true,
    },
  )
  const [first, second] = heard()
  assert.deepEqual(first.words, ["opencode", "session.created"])
  assert.equal(first.given.source, "startup")
  assert.equal(first.home, "/some home")
  assert.deepEqual(second.given.output.parts, [{ type: "text", text: "why?" }])
  assert.equal(second.given.directory, "/p")
})

test("what a session should know goes along with every request, but not with its title's", async () => {
  const { hooks, names } = await plugged()
  await hooks["chat.message"]({ sessionID: "ses_1" }, prompt())
  for (let i = 0; i < 2; i++) {
    const output = { system: ["You are opencode"] }
    await hooks["experimental.chat.system.transform"]({ sessionID: "ses_1" }, output)
    assert.deepEqual(output.system, ["You are opencode", "told session.created"])
  }
  const title = { system: ["You are a title generator. You output ONLY a thread title."] }
  await hooks["experimental.chat.system.transform"]({ sessionID: "ses_1" }, title)
  assert.equal(title.system.length, 1)
  assert.deepEqual(names(), ["session.created", "chat.message"])
})

test("a session of an earlier process is resumed", async () => {
  const { hooks, heard } = await plugged()
  await hooks["chat.message"]({ sessionID: "ses_old" }, prompt())
  assert.equal(heard()[0].given.source, "resume")
})

test("a compaction is told before, left alone, and followed by a new beginning", async () => {
  const { hooks, names } = await plugged()
  await hooks["chat.message"]({ sessionID: "ses_1" }, prompt())
  await hooks["experimental.session.compacting"]({ sessionID: "ses_1" }, { context: [] })
  const during = { system: ["Summarise."] }
  await hooks["experimental.chat.system.transform"]({ sessionID: "ses_1" }, during)
  assert.equal(during.system.length, 1)
  await hooks.event(event("session.compacted", { sessionID: "ses_1" }))
  const output = { system: ["You are opencode"] }
  await hooks["experimental.chat.system.transform"]({ sessionID: "ses_1" }, output)
  assert.equal(output.system[1], "told session.compacted")
  assert.deepEqual(names().slice(2), ["experimental.session.compacting", "session.compacted"])
})

test("a child session is a subagent of its parent", async () => {
  const { hooks, heard } = await plugged()
  await hooks.event(created("ses_2", "ses_1", "Look (@explore subagent)"))
  const output = prompt("look for callers")
  await hooks["chat.message"]({ sessionID: "ses_2" }, output)
  assert.equal(output.parts.length, 1)
  const system = { system: ["x"] }
  await hooks["experimental.chat.system.transform"]({ sessionID: "ses_2" }, system)
  assert.equal(system.system[1], "told subagent.created")
  await hooks.event(event("session.idle", { sessionID: "ses_2" }))
  const [start, end] = heard()
  assert.deepEqual(start.given.output.parts, [{ type: "text", text: "look for callers" }])
  assert.equal(start.given.input.info.title, "Look (@explore subagent)")
  assert.deepEqual([start.given.parentID, end.given.parentID], ["ses_1", "ses_1"])
  assert.equal(end.words[1], "session.idle")
})

test("the end of a turn is noted before the handler returns", async () => {
  const { hooks, names } = await plugged()
  const done = hooks.event(event("session.idle", { sessionID: "ses_1" }))
  assert.deepEqual(names(), ["session.idle"]) // not awaited yet, as `opencode run` does not
  await done
})

test("what is known of a file stands below the tool's result", async () => {
  const { hooks, heard } = await plugged({ events: "tool.execute.before" })
  const call = { tool: "read", sessionID: "ses_1", callID: "c1" }
  const args = { filePath: "/p/a.py", offset: 3 }
  await hooks["tool.execute.before"](call, { args })
  const output = { title: "a.py", output: "1: x", metadata: {} }
  await hooks["tool.execute.after"]({ ...call, args }, output)
  assert.equal(output.output, "1: x\n\ntold tool.execute.before")
  assert.deepEqual(heard()[0].given.output, { args: { filePath: "/p/a.py" } })
  assert.equal(heard().length, 1)
})

test("a tool's result is told by its exit code, without what it printed", async () => {
  const { hooks, heard } = await plugged({ events: "tool.execute.after", reply: '""' })
  const call = { tool: "bash", sessionID: "ses_1", callID: "c1", args: { command: "echo secret" } }
  const output = { title: "", output: "secret", metadata: { exit: 3, output: "secret" } }
  await hooks["tool.execute.after"](call, output)
  assert.equal(output.output, "secret")
  assert.doesNotMatch(JSON.stringify(heard()), /secret/)
  assert.deepEqual(heard()[0].given.output, { metadata: { exit: 3 } })
})

test("what made a failed command work stands below its result", async () => {
  const { hooks, heard } = await plugged({ events: "command.failed" })
  const call = { tool: "bash", sessionID: "ses_1", callID: "c1", args: { command: "make e2e" } }
  for (const exit of [0, 2]) {
    const output = { title: "", output: "E1", metadata: { exit } }
    await hooks["tool.execute.after"](call, output)
    assert.equal(output.output, exit ? "E1\n\ntold command.failed" : "E1")
  }
  assert.deepEqual(heard()[0].given.input.args, { command: "make e2e" })
  assert.equal(heard().length, 1)
})

test("todos are told without their words", async () => {
  const { hooks, heard } = await plugged()
  const todos = [{ content: "secret", status: "pending", priority: "high" }]
  await hooks.event(event("todo.updated", { sessionID: "ses_1", todos }))
  await settled(() => heard().length)
  assert.deepEqual(heard()[0].given.input.todos, [{ status: "pending" }])
})

test("a call of one of our own commands is no question to memory", async () => {
  const { hooks, names } = await plugged()
  await hooks["command.execute.before"]({ command: "remember", sessionID: "ses_1" }, { parts: [] })
  const output = prompt("Store this")
  await hooks["chat.message"]({ sessionID: "ses_1" }, output)
  assert.equal(output.parts.length, 1)
  await hooks["chat.message"]({ sessionID: "ses_1" }, prompt())
  assert.deepEqual(names(), ["session.created", "chat.message"])
})

test("what was not asked for costs nothing", async () => {
  const { hooks, names } = await plugged({ events: "session.idle" })
  await hooks.event(created("ses_1"))
  await hooks["chat.message"]({ sessionID: "ses_1" }, prompt())
  await hooks["tool.execute.before"]({ tool: "read", callID: "c" }, { args: { filePath: "/a" } })
  await hooks["experimental.session.compacting"]({ sessionID: "ses_1" }, {})
  assert.deepEqual(names(), [])
})

test("the end of the process ends its sessions", async () => {
  const { hooks, names } = await plugged()
  await hooks["chat.message"]({ sessionID: "ses_1" }, prompt())
  const done = hooks.dispose()
  assert.deepEqual(names().slice(2), ["dispose"])
  await done
})

test("an agent that memdeck started itself has no memory", async () => {
  const { hooks } = await plugged({ env: { MEMDECK_GUARD: "1" } })
  assert.deepEqual(hooks, {})
})

for (const [name, options] of Object.entries({
  "a hook that is gone": { hook: "/no/such/memdeck-hook" },
  "a hook that talks nonsense": { reply: '"{broken"' },
  "a hook that says nothing": { reply: '""' },
  "a hook that answers with something else": { reply: '\'{"text": 7}\'' },
})) {
  test(`${name} changes nothing`, async () => {
    const { hooks } = await plugged(options)
    const output = prompt()
    await hooks["chat.message"]({ sessionID: "ses_1" }, output)
    await hooks.event(event("session.idle", { sessionID: "ses_1" }))
    const system = { system: ["x"] }
    await hooks["experimental.chat.system.transform"]({ sessionID: "ses_1" }, system)
    assert.deepEqual([output.parts.length, system.system.length], [1, 1])
  })
}

test("a hook that hangs is given up", { timeout: 20_000 }, async () => {
  const path = join(root, "hangs")
  writeFileSync(path, `#!${process.execPath}\nsetTimeout(() => {}, 60000)`)
  chmodSync(path, 0o755)
  const { hooks } = await plugged({ hook: path, events: "chat.message" })
  const output = prompt()
  await hooks["chat.message"]({ sessionID: "ses_1" }, output)
  assert.equal(output.parts.length, 1)
})

test("nothing that OpenCode may hand over makes it throw", async () => {
  const { hooks } = await plugged({ hook: "/no/such/memdeck-hook" })
  for (const hook of Object.values(hooks)) {
    for (const odd of [undefined, null, {}, { event: {} }, { event: { type: "session.idle" } }]) {
      await hook(odd, undefined)
      await hook(odd, { parts: null, system: null, args: null })
    }
  }
})
