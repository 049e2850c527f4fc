// memdeck in OpenCode. `memdeck install opencode` wrote this file, `memdeck uninstall opencode`
// takes it away. It calls memdeck for OpenCode's events and hands the model what comes back.
// Whatever goes wrong in here, OpenCode goes on as if it were not there.
import { spawn, spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"

const HOOK = "@HOOK@"
const HOME = "@HOME@"
const ASKED = "@EVENTS@"

// What is asked for where the line above was left as it is: the smallest set that serves.
const DEFAULT =
  "session.created session.compacted session.deleted dispose chat.message session.idle " +
  "todo.updated experimental.session.compacting tool.execute.before subagent.created " +
  "command.failed"
const EVENTS = new Set((ASKED.startsWith("@") ? DEFAULT : ASKED).split(" "))

const PATIENCE_MS = 4000 // memdeck gives up by itself after two seconds
const FILE_TOOLS = new Set(["read", "edit", "write", "multiedit", "apply_patch", "patch"])
const COMMANDS = new Set(["remember", "forget", "pin", "mem"]) // ours; no question to memory
const TITLE = "You are a title generator"

const environment = HOME ? { ...process.env, MEMDECK_HOME: HOME } : process.env
const isGuarded = !["", "0"].includes(process.env.MEMDECK_GUARD ?? "")

// Call memdeck and give back its text; "" when there is none, or something went wrong.
const ask = (hook, payload) =>
  new Promise((resolve) => {
    if (!EVENTS.has(hook)) return resolve("")
    try {
      const child = spawn(HOOK, ["opencode", hook], {
        env: environment,
        stdio: ["pipe", "pipe", "ignore"],
        windowsHide: true,
      })
      const end = (text) => {
        clearTimeout(timer)
        resolve(text)
      }
      const timer = setTimeout(() => {
        child.kill("SIGKILL")
        end("")
      }, PATIENCE_MS)
      let said = ""
      child.on("error", () => end(""))
      child.on("close", () => end(textIn(said)))
      child.stdout.setEncoding("utf8")
      child.stdout.on("data", (piece) => (said += piece))
      child.stdin.on("error", () => {})
      child.stdin.end(JSON.stringify({ ...payload, hook }))
    } catch {
      resolve("")
    }
  })

// Call memdeck and wait, with everything else: `opencode run` ends without waiting for handlers.
const tell = (hook, payload) => {
  if (!EVENTS.has(hook)) return
  try {
    spawnSync(HOOK, ["opencode", hook], {
      env: environment,
      input: JSON.stringify({ ...payload, hook }),
      stdio: ["pipe", "ignore", "ignore"],
      timeout: PATIENCE_MS,
      killSignal: "SIGKILL",
      windowsHide: true,
    })
  } catch {}
}

const textIn = (reply) => {
  try {
    const { text } = JSON.parse(reply)
    return typeof text === "string" ? text : ""
  } catch {
    return ""
  }
}

// A name like OpenCode's own, which order the parts of a message: later than all that are there.
const partName = () => {
  const stamp = (BigInt(Date.now()) * 4096n + 4095n) & 0xffffffffffffn
  return `prt_${stamp.toString(16).padStart(12, "0")}${randomBytes(7).toString("hex")}`
}

const safe = (handle) => async (input, output) => {
  try {
    await handle(input, output)
  } catch {}
}

export const Memdeck = async ({ directory, worktree } = {}) => {
  if (isGuarded) return {} // started by memdeck itself

  const sessions = new Map() // id -> what this process knows of the session
  const waiting = new Map() // call -> what will be said of its file
  const commanded = new Set() // sessions whose next message is one of our commands

  const about = (id) => {
    if (!sessions.has(id)) sessions.set(id, { source: "resume" })
    return sessions.get(id)
  }
  const place = (id) => ({
    api: "v1",
    directory,
    worktree,
    parentID: about(id).parent,
  })

  // Ask once what the session should know from its start; it goes along with every request.
  // What a subagent is asked first says what that is.
  const begin = (id, source, parts) => {
    const session = about(id)
    const info = session.parent ? { id, title: session.title } : { id }
    const hook = session.parent
      ? "subagent.created"
      : source === "compact"
        ? "session.compacted"
        : "session.created"
    const output = session.parent ? { parts } : undefined
    session.told = ask(hook, { ...place(id), source, input: { sessionID: id, info }, output })
  }

  const events = {
    "session.created": ({ info }) => {
      Object.assign(about(info.id), { source: "startup", parent: info.parentID, title: info.title })
    },
    "session.updated": ({ info }) => {
      if (info.parentID) about(info.id).parent = info.parentID
    },
    "session.idle": ({ sessionID }) => {
      const session = about(sessionID)
      session.isCompacting = false
      if (!session.parent) waiting.clear()
      tell("session.idle", { ...place(sessionID), input: { sessionID } })
    },
    "session.error": ({ sessionID, error }) => {
      if (sessionID) {
        const input = { sessionID, error: { name: error?.name } }
        ask("session.error", { ...place(sessionID), input })
      }
    },
    "session.compacted": ({ sessionID }) => {
      about(sessionID).isCompacting = false
      begin(sessionID, "compact")
    },
    "session.deleted": ({ info }) => {
      const known = place(info.id)
      sessions.delete(info.id)
      tell("session.deleted", { ...known, input: { sessionID: info.id } })
    },
    "todo.updated": ({ sessionID, todos }) => {
      const states = todos.map(({ status }) => ({ status })) // their words stay here
      ask("todo.updated", { ...place(sessionID), input: { sessionID, todos: states } })
    },
  }

  return {
    event: safe(({ event }) => events[event.type]?.(event.properties)),

    "chat.message": safe(async ({ sessionID }, output) => {
      const session = about(sessionID)
      session.isCompacting = false
      const parts = output.parts
        .filter((part) => part.type === "text" && !part.synthetic)
        .map(({ text }) => ({ type: "text", text }))
      if (!session.told) begin(sessionID, session.source, parts)
      await session.told
      if (commanded.delete(sessionID) || session.parent) return
      const asked = { ...place(sessionID), input: { sessionID }, output: { parts } }
      const text = await ask("chat.message", asked)
      const messageID = output.message?.id
      if (text && messageID) {
        const id = partName()
        output.parts.push({ id, messageID, sessionID, type: "text", text, synthetic: true })
      }
    }),

    "command.execute.before": safe(({ command, sessionID }) => {
      if (COMMANDS.has(command)) commanded.add(sessionID)
    }),

    "experimental.chat.system.transform": safe(async ({ sessionID }, output) => {
      const session = sessions.get(sessionID)
      if (!session?.told || session.isCompacting || output.system[0]?.startsWith(TITLE)) return
      const text = await session.told
      if (text) output.system.push(text)
    }),

    "experimental.session.compacting": safe(async ({ sessionID }) => {
      about(sessionID).isCompacting = true
      const hook = "experimental.session.compacting"
      await ask(hook, { ...place(sessionID), input: { sessionID } })
    }),

    "tool.execute.before": safe(({ tool, sessionID, callID }, output) => {
      if (!FILE_TOOLS.has(tool) || !EVENTS.has("tool.execute.before")) return
      const { filePath, patchText } = output.args ?? {}
      const input = { tool, sessionID, callID }
      const asked = { ...place(sessionID), input, output: { args: { filePath, patchText } } }
      waiting.set(callID, ask("tool.execute.before", asked)) // while the tool runs
    }),

    "tool.execute.after": safe(async ({ tool, sessionID, callID, args }, output) => {
      const texts = [await waiting.get(callID)]
      waiting.delete(callID)
      if (tool !== "todowrite" && EVENTS.has("tool.execute.after")) {
        const { filePath, patchText } = args ?? {}
        const input = { tool, sessionID, callID, args: { filePath, patchText } }
        const metadata = "exit" in (output.metadata ?? {}) ? { exit: output.metadata.exit } : {}
        const ended = { metadata, isError: output.isError }
        texts.push(await ask("tool.execute.after", { ...place(sessionID), input, output: ended }))
      }
      if (tool === "bash" && output.metadata?.exit) {
        const input = { tool, sessionID, callID, args: { command: args?.command } }
        texts.push(await ask("command.failed", { ...place(sessionID), input }))
      }
      const text = texts.filter(Boolean).join("\n\n")
      if (text && typeof output.output === "string") output.output += `\n\n${text}`
    }),

    dispose: safe(() => {
      for (const [sessionID, session] of sessions) {
        if (session.told && !session.parent) {
          tell("dispose", { ...place(sessionID), input: { sessionID } })
        }
      }
      sessions.clear()
    }),
  }
}
