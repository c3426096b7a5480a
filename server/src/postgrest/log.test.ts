import { expect, test } from 'vitest'
import { type Answered, createServerLog } from './log.ts'

const answered = (status: number): Answered => ({
  remoteAddress: '127.0.0.1',
  role: status === 401 ? null : 'anon',
  method: 'GET',
  target: '/books?id=eq.1',
  httpVersion: '1.1',
  status,
  bytes: '12',
  referer: '',
  userAgent: 'an "agent"',
  statements: ['select\n  1'],
})

function logAt(logLevel: 'crit' | 'error' | 'warn' | 'info' | 'debug', logQuery = false) {
  const out: string[] = []
  const err: string[] = []
  const log = createServerLog({
    settings: () => ({ logLevel, logQuery }),
    now: () => new Date('2026-11-21T21:03:46Z'),
    out: (line) => out.push(line),
    err: (line) => err.push(line),
  })
  return { log, out, err }
}

test.each([
  ['crit', []],
  ['error', [500]],
  ['warn', [401, 500]],
  ['info', [200, 401, 500]],
  ['debug', [200, 401, 500]],
] as const)('at %s the answers with %j are logged', (level, statuses) => {
  const { log, out } = logAt(level)
  for (const status of [200, 401, 500]) log.answered(answered(status))
  expect(out).toHaveLength(statuses.length)
  for (const [index, status] of statuses.entries()) expect(out[index]).toContain(`" ${status} 12 `)
})

test('a request is logged as Apache does, with its role; statements on one line, where they are asked for', () => {
  const { log, out, err } = logAt('info', true)
  log.answered(answered(200))
  log.answered(answered(401))
  expect(out).toEqual([
    '127.0.0.1 - anon [21/Nov/2026:21:03:46 +0000] "GET /books?id=eq.1 HTTP/1.1" 200 12 "" "an \\"agent\\""\n',
    '127.0.0.1 - - [21/Nov/2026:21:03:46 +0000] "GET /books?id=eq.1 HTTP/1.1" 401 12 "" "an \\"agent\\""\n',
  ])
  expect(err).toEqual(Array(2).fill('21/Nov/2026:21:03:46 +0000: select 1\n'))
})

test('failures are logged, except at crit; what an operator must know, always', () => {
  for (const [level, lines] of [
    ['crit', 2],
    ['error', 3],
  ] as const) {
    const { log, err } = logAt(level)
    log.info('started')
    log.warn('lost')
    log.failed('{"code":"57014"}')
    expect(err).toHaveLength(lines)
  }
})
