import type { ExceptionDetail, ExceptionSummary, IssueDetail, IssueSummary } from '../../src/lib/api/schemas.ts'
import { maria, session } from '../answers.ts'

export const issue: IssueSummary = {
  id: '0b5f1c1e-0000-8000-a000-000000000001',
  title: 'TypeError: total is undefined',
  culprit: 'pay in src/cart.ts',
  level: 'error',
  source: 'browser',
  state: 'open',
  firstSeenAt: '2026-01-01T03:04:05.000Z',
  lastSeenAt: '2026-01-02T03:04:45.000Z',
  firstRelease: 'v1',
  lastRelease: 'v2',
  assignedTo: null,
  cameBackAt: null,
  events: 12,
  people: 3,
  sessions: 4,
  parts: new Array<number>(24).fill(0).with(20, 12),
}

export const exception: ExceptionSummary = {
  id: 'e1',
  at: '2026-01-02T03:04:45.800Z',
  source: 'browser',
  level: 'error',
  handled: false,
  release: 'v2',
  sessionId: session.id,
  windowId: 'w1',
  distinctId: 'd1',
  userId: 'u1',
  requestId: null,
  url: 'https://shop.test/cart',
  browser: 'Chrome',
  os: 'Mac OS X',
}

export const issueDetail: IssueDetail = {
  issue: { ...issue, parts: new Array<number>(30).fill(0).with(28, 9).with(29, 3) },
  daysFrom: '2025-12-04T00:00:00.000Z',
  message: 'total is undefined',
  resolvedAt: null,
  resolvedInNextRelease: false,
  fingerprints: ['f1'],
  releases: [{ value: 'v2', count: 9 }],
  browsers: [{ value: 'Chrome', count: 12 }],
  systems: [],
  pages: [{ value: 'https://shop.test/cart', count: 12 }],
  people: [{ ...maria, events: 7, lastAt: '2026-01-02T03:04:45.000Z' }],
  history: [{ kind: 'created', operator: null, details: null, at: '2026-01-01T03:04:05.000Z' }],
}

const frame = { line: 12, column: 9, inApp: true, context: null, built: null }

export const exceptionDetail: ExceptionDetail = {
  exception,
  chain: [
    {
      type: 'TypeError',
      message: 'total is undefined',
      handled: false,
      frames: [
        {
          ...frame,
          file: 'src/cart.ts',
          function: 'pay',
          context: { before: ['function pay(cart) {'], line: '  return cart.total.sum', after: ['}'] },
          built: { file: 'https://shop.test/app.js', line: 1, column: 4000 },
        },
        { ...frame, file: 'node_modules/react/index.js', function: 'call', inApp: false },
        { ...frame, file: 'src/main.ts', function: null },
      ],
    },
  ],
  steps: [{ at: null, message: 'cart opened' }],
}
