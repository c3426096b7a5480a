import type { OperationTool } from './tool.ts'

const limit = 'How many at most'
const from = 'Only what began at this instant or later, ISO 8601'
const to = 'Only what began before this instant, ISO 8601'
const before = 'The `next` of the page before'

/** The tools that are operations of the console's API. */
export const operationTools: readonly OperationTool[] = [
  {
    ...{ name: 'list_tables', operation: 'schemaTables', right: 'read data', inputs: {} },
    title: 'Tables of the database',
    description:
      'Tables and views of all schemas, with their sizes and how many policies, indexes and triggers each has.',
  },
  {
    ...{ name: 'describe_table', operation: 'schemaTable', right: 'read data' },
    title: 'One table',
    description: 'Columns, constraints, indexes, triggers and row level security policies of one table or view.',
    inputs: { schema: 'The schema, such as public', table: 'The table’s name' },
  },
  {
    ...{ name: 'list_sessions', operation: 'sessions', right: 'look' },
    title: 'Sessions of the application’s visitors',
    description: 'Recorded sessions, newest first: who, when, how long, how many clicks, requests and errors.',
    inputs: {
      q: 'A person, an e-mail address, a page',
      ...{ from, to, limit },
      errors: 'Only sessions with errors',
      status: 'Only with a request that was answered so: 404, 5xx',
      seconds: 'Only sessions that lasted so many seconds',
      requestMs: 'Only with a request that took so many milliseconds',
      statementMs: 'Only with a statement that took so many milliseconds',
      table: 'Only with a request that changed a row of this table, schema.table',
      flag: 'Only where this feature flag was shown: key, or key=variant',
    },
  },
  {
    ...{ name: 'get_session', operation: 'session', right: 'look' },
    title: 'One session, click by click',
    description:
      'The timeline of a session: clicks, pages, console messages, each with the requests that it caused, their statements ' +
      'and the rows that they changed.',
    inputs: { id: 'The session’s id', from: 'Only moments from then on, in ms of the session' },
  },
  {
    ...{ name: 'list_requests', operation: 'requests', right: 'look' },
    title: 'Requests of the application',
    description: 'Requests to the backend, newest first: path, status, duration, caller, session.',
    inputs: {
      q: 'A part of the path',
      ...{ from, to, limit, before },
      method: 'The HTTP method',
      status: '404, 5xx, or `error` for all that failed',
      service: 'rest, auth, storage, functions, realtime',
      session: 'Of this session',
      person: 'Of this person, by id',
      requestMs: 'Only those that took so many milliseconds',
      statementMs: 'Only those with a statement that took so many milliseconds',
      table: 'Only those that changed a row of this table, schema.table',
      empty: 'Only those that asked for rows and were given none',
    },
  },
  {
    ...{ name: 'get_request', operation: 'request', right: 'look' },
    title: 'One request',
    description: 'A request with its statements, their durations, and the rows that it changed.',
    inputs: { id: 'The request’s id, as in the answer’s header x-request-id' },
  },
  {
    ...{ name: 'row_history', operation: 'rowHistory', right: 'read data' },
    title: 'The history of a row',
    description:
      'All changes of one row, newest first: values before and after, and the request, click or job that made each.',
    inputs: {
      ...{ schema: 'The schema, such as public', table: 'The table’s name', limit },
      key: 'The primary key as a JSON object of texts: {"id":"42"}',
    },
  },
  {
    ...{ name: 'changes_of', operation: 'changesOf', right: 'read data' },
    title: 'What a request changed',
    description: 'The rows that one request or one run of a job changed, and the requests and webhooks that it led to.',
    inputs: { cause: 'The request’s id', limit },
  },
  {
    ...{ name: 'why_of_request', operation: 'whyOfRequest', right: 'read data' },
    title: 'Why a request was answered so',
    description:
      'Explains the answer of a data request that was made, above all an empty one: which filter, join or policy took the rows away.',
    inputs: { id: 'The request’s id', body: 'The JSON that it sent, for a write' },
  },
  {
    ...{ name: 'why', operation: 'why', right: 'read data' },
    title: 'Why a query would be answered so',
    description: 'Explains what a data request would be answered, as a given caller, without making it.',
    inputs: {
      method: 'The HTTP method',
      path: 'Below /rest/v1: a table, or rpc/function',
      query: 'The query string, such as select=*&user_id=eq.7',
      body: 'The JSON that it would send, for a write',
      as: 'The caller: kind is anon, authenticated, service_role or user; for user, an e-mail address or id in `user`',
    },
  },
  {
    ...{ name: 'list_errors', operation: 'errors', right: 'look' },
    title: 'Errors of the application',
    description: 'Groups of exceptions with how often and for how many people they happened, latest first.',
    inputs: {
      q: 'A part of the message',
      state: 'Only those in this state',
      release: 'Only those of this release',
      range: 'The range of time that is counted',
      sort: 'The order',
      ...{ limit, before },
    },
  },
  {
    ...{ name: 'get_error', operation: 'error', right: 'look' },
    title: 'One error',
    description: 'One group of exceptions: its stack in the sources, releases, browsers, people, and latest sessions.',
    inputs: { id: 'The error’s id' },
  },
  {
    ...{ name: 'list_flags', operation: 'flags', right: 'look', inputs: {} },
    title: 'Feature flags',
    description: 'The feature flags with their conditions and how they are used.',
  },
  {
    ...{ name: 'get_flag', operation: 'flag', right: 'look' },
    title: 'One feature flag',
    description: 'One feature flag with its variants and conditions.',
    inputs: { key: 'The flag’s key' },
  },
  {
    ...{ name: 'search', operation: 'search', right: 'look' },
    title: 'Search everything',
    description:
      'What a text names: people, users, sessions, requests, errors and rows, by id, e-mail address or part of a name.',
    inputs: { q: 'The text' },
  },
]
