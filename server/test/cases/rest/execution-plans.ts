import type { RestCase } from './case.ts'

export const executionPlans: readonly RestCase[] = [
  {
    rule: '10 a plan as text',
    request: 'GET /shelves',
    settings: { planEnabled: true },
    headers: { accept: 'application/vnd.pgrst.plan' },
    status: 200,
    answer: { 'content-type': 'application/vnd.pgrst.plan+text; for="application/json"; charset=utf-8' },
  },
  {
    rule: '10 a plan as JSON',
    request: 'GET /shelves',
    settings: { planEnabled: true },
    headers: {
      accept: 'application/vnd.pgrst.plan+json; for="application/vnd.pgrst.object"; options=verbose|settings',
    },
    status: 200,
    answer: {
      'content-type':
        'application/vnd.pgrst.plan+json; for="application/vnd.pgrst.object+json"; options=verbose|settings; charset=utf-8',
    },
  },
  {
    rule: '10 the trailing semicolon of the client',
    request: 'GET /shelves',
    settings: { planEnabled: true },
    headers: { accept: 'application/vnd.pgrst.plan+text; for="application/json"; options=analyze|buffers;' },
    status: 200,
    answer: {
      'content-type': 'application/vnd.pgrst.plan+text; for="application/json"; options=analyze|buffers; charset=utf-8',
    },
  },
  {
    rule: '10 unknown options are dropped',
    request: 'GET /shelves',
    settings: { planEnabled: true },
    headers: { accept: 'application/vnd.pgrst.plan+json; options=nope|verbose' },
    status: 200,
    answer: {
      'content-type': 'application/vnd.pgrst.plan+json; for="application/json"; options=verbose; charset=utf-8',
    },
  },
  {
    rule: '10 a plan of a write',
    request: 'DELETE /reviews',
    settings: { planEnabled: true },
    headers: { accept: 'application/vnd.pgrst.plan+json' },
    status: 200,
    answer: { 'content-type': 'application/vnd.pgrst.plan+json; for="application/json"; charset=utf-8' },
  },
  {
    rule: '10 a plan for an unknown type',
    request: 'GET /shelves',
    settings: { planEnabled: true },
    headers: { accept: 'application/vnd.pgrst.plan+json; for="x/y"' },
    status: 406,
    json: {
      code: 'PGRST107',
      details: null,
      hint: null,
      message: 'None of these media types are available: application/vnd.pgrst.plan+json; for="x/y"',
    },
  },
]
