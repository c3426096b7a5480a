import type { EventDetail, EventSummary, PersonDetail, PersonSummary } from '../../src/lib/api/schemas.ts'

export const person: PersonSummary = {
  id: '0b5f1c1e-0000-4000-8000-0000000000a1',
  name: 'Maria Silva',
  email: 'maria@example.test',
  distinctId: 'd1',
  userId: 'u1',
  identified: true,
  country: { code: 'PT', name: 'Portugal' },
  city: 'Lisbon',
  firstSeenAt: '2026-01-02T03:04:05.000Z',
  lastSeenAt: '2026-01-03T03:04:05.000Z',
  events: 1204,
  sessions: 31,
}

export const personOf: PersonDetail = {
  person,
  user: {
    id: 'u1',
    email: 'maria@example.test',
    name: 'Maria Silva',
    account: {
      createdAt: '2026-01-02T03:04:05.000Z',
      lastSignInAt: '2026-01-03T03:00:00.000Z',
      bannedUntil: null,
      providers: ['email', 'google'],
      sessions: 2,
    },
  },
  ids: [
    {
      ...{ id: '019b-browser', events: 4, sessions: 1 },
      ...{ firstSeenAt: '2026-01-02T03:04:05.000Z', lastSeenAt: '2026-01-02T03:14:05.000Z' },
    },
    { id: 'd1', events: 1200, sessions: 30, firstSeenAt: null, lastSeenAt: null },
  ],
  idCount: 2,
  properties: [
    { name: 'email', value: 'maria@example.test', setAt: '2026-01-02T03:04:05.000Z' },
    { name: 'plan', value: { tier: 'pro' }, setAt: null },
  ],
  devices: [{ browser: 'Firefox', os: 'Linux', kind: 'Desktop', events: 9, lastSeenAt: '2026-01-03T03:04:05.000Z' }],
  groups: [{ type: 'company', key: 'acme', lastSeenAt: '2026-01-03T03:04:05.000Z' }],
}

export const event: EventSummary = {
  id: '1767323045000.0b5f1c1e-0000-4000-8000-0000000000e1',
  event: '$autocapture',
  label: 'Place order',
  at: '2026-01-02T03:04:45.000Z',
  distinctId: 'd1',
  person: { id: person.id, userId: 'u1', email: 'maria@example.test', name: 'Maria Silva' },
  sessionId: '01a203d8-0000-7000-8000-000000000001',
  windowId: 'w1',
  url: 'http://127.0.0.1:54321/basket?a=1',
  path: '/basket',
  browser: 'Firefox',
  os: 'Linux',
  device: 'Desktop',
  lib: 'web',
}

export const eventOf: EventDetail = {
  event,
  receivedAt: '2026-01-02T03:04:46.000Z',
  sentAt: null,
  clientTime: '2026-01-02T03:04:45.000Z',
  properties: { $browser: 'Firefox', total: 12 },
  elements: [
    { tag: 'button', text: 'Place order', attributes: { attr__type: 'submit', 'nth-child': '1' } },
    { tag: 'form', text: null, attributes: {} },
  ],
}
