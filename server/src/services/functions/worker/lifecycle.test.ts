import { expect, test } from 'vitest'
import { type LifeEvent, startingWorker, takesCalls, transition, type WorkerState } from './lifecycle.ts'

const limits = { memoryMib: 100, cpuMs: 1000, wallMs: 100_000, bootMs: 10_000 }
const mib = 1024 ** 2
const used = (usage: Partial<WorkerState['usage']>): LifeEvent => ({
  kind: 'measured',
  usage: { memoryBytes: 10 * mib, cpuMs: 0, isStopped: false, ...usage },
})
const retired: LifeEvent = { kind: 'retired', reason: 'early_drop' }
const stopped: LifeEvent = { kind: 'stopped', reason: 'termination' }
const listening: LifeEvent = { kind: 'listening' }
const began: LifeEvent = { kind: 'callBegan' }
const over: LifeEvent = { kind: 'callEnded' }
const said = (text: string): LifeEvent => ({ kind: 'said', text })
const exited = (code: number | null, error: string | null = null): LifeEvent => ({ kind: 'exited', code, error })

/** A worker after events, each at its time or at 0, and what the last one asks for. */
function after(events: readonly (LifeEvent | readonly [number, LifeEvent])[]) {
  let state = startingWorker(0)
  let asked: readonly string[] = []
  for (const each of events) {
    const [nowMs, event] = 'kind' in each ? [0, each] : each
    const step = transition(state, event, { limits, nowMs })
    state = step.state
    asked = step.effects.map((effect) => {
      if (effect.kind === 'send') return `send ${JSON.stringify(effect.message)}`
      if (effect.kind === 'note') return `${effect.entry.kind}: ${effect.entry.text}`
      if (effect.kind !== 'becomeEnded') return effect.kind
      return `ended by ${effect.end.kind}${effect.end.kind === 'limit' ? ` of ${effect.end.reason}` : ''}: ${effect.words}`
    })
  }
  return { state, asked }
}

const unloading = (reason: string): readonly string[] => [`send {"unload":"${reason}"}`, 'hangUp', 'killLater']

test.each([
  ['it listens', [[120, listening]], 'serving', ['becomeReady', 'boot: Booted in 120 ms']],
  ['it says that it listens a second time', [listening, listening], 'serving', []],
  ['it has run to its end without a server', [{ kind: 'loaded', listens: false }], 'killed', ['kill']],
  ['it has run to its end with a server', [listening, { kind: 'loaded', listens: true }], 'serving', []],
  ['it does not listen in time', [{ kind: 'bootTimedOut' }], 'killed', ['kill']],
  ['the time to start is over and it has listened', [listening, { kind: 'bootTimedOut' }], 'serving', []],
  ['it is retired without calls', [listening, retired], 'unloading', unloading('early_drop')],
  ['it is retired before it listens', [retired], 'unloading', unloading('early_drop')],
  ['it is retired with a call', [listening, began, retired], 'draining', ['send {"drain":true}']],
  ['it is retired twice', [listening, began, retired, retired], 'draining', []],
  ['it listens after it was retired', [began, retired, listening], 'draining', ['becomeReady', 'boot: Booted in 0 ms']],
  [
    'the last call of a retired one ends',
    [listening, began, began, over, retired, over],
    'unloading',
    unloading('early_drop'),
  ],
  [
    'the call of a retired one ends before its background work',
    [listening, began, { kind: 'pending', count: 1 }, retired, over],
    'draining',
    [],
  ],
  [
    'the background work of a retired one ends',
    [listening, { kind: 'pending', count: 1 }, retired, { kind: 'pending', count: 0 }],
    'unloading',
    unloading('early_drop'),
  ],
  ['it is stopped with calls', [listening, began, stopped], 'unloading', unloading('termination')],
  ['it is stopped twice', [listening, stopped, stopped], 'unloading', []],
  ['it is stopped while its process is being made', [stopped, { kind: 'spawned' }], 'unloading', ['kill']],
  ['its process is made', [{ kind: 'spawned' }], 'starting', []],
  [
    'it is near its memory’s limit',
    [listening, used({ memoryBytes: 95 * mib })],
    'serving',
    ['send {"unload":"memory"}'],
  ],
  [
    'it is near a limit for the second time',
    [listening, used({ memoryBytes: 95 * mib }), used({ memoryBytes: 96 * mib })],
    'serving',
    [],
  ],
  ['it is above its memory’s limit', [listening, used({ memoryBytes: 101 * mib })], 'killed', ['kill']],
  ['one call uses too much CPU time', [listening, began, used({ cpuMs: 1001 })], 'killed', ['kill']],
  ['two calls share that CPU time', [listening, began, began, used({ cpuMs: 1001 })], 'serving', []],
  ['calls before have used it', [listening, used({ cpuMs: 800 }), began, used({ cpuMs: 1500 })], 'serving', []],
  ['half of its time is over', [listening, began, [50_001, used({})]], 'draining', ['send {"drain":true}']],
  [
    'its time is nearly over',
    [listening, began, [50_001, used({})], [90_001, used({})]],
    'draining',
    ['send {"unload":"wall_clock"}'],
  ],
  ['its time is over', [listening, began, [100_001, used({})]], 'killed', ['kill']],
  ['a signal holds it', [listening, used({ isStopped: true })], 'killed', ['kill']],
  ['a limit is passed while it unloads', [listening, stopped, used({ memoryBytes: 101 * mib })], 'unloading', []],
  [
    'its process ends after it was stopped',
    [listening, stopped, exited(0)],
    'ended',
    ['shutdown: Ended: as asked; used 0 ms of CPU, 0 MiB', 'ended by asked: '],
  ],
  [
    'its process ends by itself',
    [listening, said('Uncaught'), exited(1)],
    'ended',
    ['shutdown: Ended: an error; used 0 ms of CPU, 0 MiB', 'ended by error: Uncaught'],
  ],
  [
    'its process ends before it has listened',
    [said('SyntaxError'), exited(1)],
    'ended',
    ['shutdown: Ended: an error; used 0 ms of CPU, 0 MiB', 'boot_failure: SyntaxError', 'ended by error: SyntaxError'],
  ],
  [
    'its process cannot be made',
    [exited(null, 'spawn ENOMEM')],
    'ended',
    [
      'shutdown: Ended: an error; used 0 ms of CPU, 0 MiB',
      'boot_failure: spawn ENOMEM',
      'ended by error: spawn ENOMEM',
    ],
  ],
  [
    'its process ends over a limit',
    [listening, used({ memoryBytes: 101 * mib, cpuMs: 20 }), exited(null)],
    'ended',
    ['shutdown: Ended: the limit of memory; used 20 ms of CPU, 101 MiB', 'ended by limit of memory: '],
  ],
  [
    'its heap is full',
    [listening, said('Fatal JavaScript out of memory: Reached heap limit'), exited(133)],
    'ended',
    [
      'shutdown: Ended: the limit of memory; used 0 ms of CPU, 0 MiB',
      'ended by limit of memory: Fatal JavaScript out of memory: Reached heap limit',
    ],
  ],
  ['its end is told twice', [listening, exited(1), exited(1)], 'ended', []],
] as const)('functions §6 %s', (_when, events, phase, asked) => {
  const last = after(events)
  expect({ phase: last.state.phase.kind, asked: last.asked }).toEqual({ phase, asked })
})

test('a worker takes calls until it is told to end', () => {
  expect(takesCalls(after([]).state)).toBe(true)
  expect(takesCalls(after([listening]).state)).toBe(true)
  for (const event of [retired, stopped, exited(1), used({ memoryBytes: 101 * mib })])
    expect(takesCalls(after([listening, began, event]).state)).toBe(false)
})

test('a worker is idle from the moment that its last call and its background work have ended', () => {
  const busy = [listening, began, { kind: 'pending', count: 1 }, [5, over]] as const
  expect(after(busy).state.idleSinceMs).toBeNull()
  expect(after([...busy, [7, { kind: 'pending', count: 0 }]]).state.idleSinceMs).toBe(7)
  expect(
    after([...busy, [7, { kind: 'pending', count: 0 }], [9, { kind: 'pending', count: 0 }]]).state.idleSinceMs,
  ).toBe(7)
})

test('a worker’s last twenty lines are kept for the error of one that does not start', () => {
  const lines = Array.from({ length: 30 }, (_, at) => `line ${at}`)
  expect(after(lines.map(said)).state.said).toEqual(lines.slice(10))
})
