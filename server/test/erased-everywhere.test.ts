import { expect } from 'vitest'
import { uuidv7 } from '../src/ground/ids/uuidv7.ts'
import { personStores } from '../src/plan/privacy/erasures.ts'
import { addColumn, fillColumn } from '../src/services/analytics/properties/events-table.ts'
import { storagePersonStore } from '../src/services/storage/index.ts'
import { ada, bob, email, everyName, fill, name, session, test, type World } from './erasure-world.ts'
import { openStorage } from './storage-app.ts'
import { tablesWith } from './tables-with.ts'

/** Tables in which the person may stay, and why: an erasure reports them. */
const reported = {
  'clew_advisor.ignored': 'why an operator ignored advice',
  'clew_analytics.capture_settings': 'the operator who changed it',
  'clew_exports.exports': 'the operator who made it, and who changed it',
  'clew_exports.runs': 'the operator who asked for it',
  'clew_experiments.experiments': 'the operator who changed it',
  'clew_flags.changes': 'the operator who changed the flag',
  'clew_flags.cohorts': 'a condition that an operator wrote',
  'clew_flags.flags': 'a condition that an operator wrote',
  'clew_functions.files': 'the source of a function',
  'clew_functions.versions': 'the operator who deployed it',
  'clew_issues.history': 'the operator who did it',
  'clew_issues.rule_changes': 'the operator who changed them',
  'clew_issues.rules': 'a condition that an operator wrote',
  'clew_net.deliveries': 'is still to be sent',
  'clew_operators.actions': 'the operator who did it',
  'clew_operators.invitations': 'an operator to be',
  'clew_operators.operators': 'an operator',
  'clew_privacy.jobs': 'the operator who asked for it',
  'clew_privacy.masks': 'the operator who set it',
  'clew_surveys.surveys': 'the operator who changed it',
  'cron.job': 'the SQL of a job',
  'net.http_request_queue': 'is still to be sent',
  'public.profiles': 'rows of the application about others',
  'vault.secrets': 'the name of a secret',
} as const

/**
 * Tables without a place for a person, or with nothing but keys, hashes and numbers of what goes with its table. A table that is
 * in neither list must be given a trace, and be erased from.
 */
const withoutPeople = new Set([
  ...['auth.schema_migrations', 'auth.instances', 'auth.oauth_clients', 'auth.oauth_client_states', 'auth.single_use'],
  ...['auth.sso_providers', 'auth.sso_domains', 'auth.saml_providers', 'auth.custom_oauth_providers', 'auth.key_uses'],
  ...['clew.change_gaps', 'clew.change_slots', 'clew.full_identities', 'clew.guarded_objects', 'clew.guarded_schemas'],
  ...['clew.history_schemas', 'clew.migrations', 'clew.owner_event_triggers', 'clew.owner_publications'],
  ...['clew_analytics.applied_changes', 'clew_analytics.consent_metadata', 'clew_analytics.cookieless_sessions'],
  ...['clew_analytics.daily_secrets', 'clew_analytics.erasures', 'clew_analytics.group_types'],
  ...['clew_analytics.persons_seen', 'clew_analytics.persons_seen_fill', 'clew_analytics.groups_seen'],
  ...['clew_analytics.groups_seen_fill'],
  ...['clew_analytics.property_columns', 'clew_analytics.property_turn', 'clew_analytics.property_uses'],
  ...['clew_alerts.notices', 'clew_alerts.states', 'clew_alerts.turn', 'clew_disk.runs', 'clew_disk.samples'],
  ...['clew_functions.functions', 'clew_functions.secrets', 'clew_issues.alerting', 'clew_issues.built_files'],
  ...['clew_issues.fingerprints', 'clew_issues.releases', 'clew_issues.source_maps', 'clew_net.delivery_attempts'],
  ...['clew_operators.access_tokens', 'clew_operators.operator_passkeys', 'clew_operators.operator_recovery_codes'],
  ...['clew_operators.operator_sessions', 'clew_operators.operator_totp', 'clew_operators.setup_tokens'],
  ...['clew_privacy.erasures', 'clew_storage.emptied_buckets', 'clew_storage.removals', 'pgmq.meta'],
  ...['public.order_lines', 'storage.migrations', 'supabase_functions.hooks', 'supabase_functions.migrations'],
  // Statements and shares go with the request and the session that they are of.
  ...['clew_shares.shares', 'migrations', 'relations', 'statements'],
])

/** What Ada leaves beside `fill`, so that each table has a trace of her. */
async function leaveTraces({ db, clickhouse }: World): Promise<void> {
  await db.load(`
    create extension pgmq; create extension pg_cron;
    select pgmq.create('Night-Mail');
    select pgmq.send('Night-Mail', jsonb_build_object('to', '${email}')), pgmq.send('Night-Mail', '{"to": "bob"}');
    select pgmq.archive('Night-Mail', pgmq.send('Night-Mail', '{}', '{"about": "${ada}"}'::jsonb));
    select realtime.send('{"from": "${name}"}', 'said', 'room'), realtime.send('{}', 'said', 'user:${ada}'),
      realtime.send('{}', 'said', 'of-bob');
    select cron.schedule('letters', '0 3 * * *', $$select 'to ${email}'$$)`)
  const traces = `
    insert into auth.identities (provider_id, user_id, identity_data, provider)
    values ('${ada}', '${ada}', '{"email": "${email}"}', 'email');
    insert into auth.oauth_clients (id, registration_type, redirect_uris, grant_types)
    values ('${bob}', 'manual', '', '');
    insert into auth.sessions (id, user_id, user_agent) values ('${session}', '${ada}', '${name}');
    insert into auth.refresh_tokens (token, user_id, session_id) values ('t', '${ada}', '${session}');
    insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at)
    values ('${session}', '${ada}', '${name}', 'totp', 'verified', now(), now());
    insert into auth.mfa_challenges (id, factor_id, created_at, ip_address, otp_code)
    values ('${session}', '${session}', now(), '::1', '${email}');
    insert into auth.mfa_amr_claims values ('${session}', now(), now(), '${email}', '${session}');
    insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to)
    values ('${session}', '${ada}', 'recovery_token', 'h', '${email}');
    insert into auth.flow_state (id, user_id, provider_type, authentication_method)
    values ('${session}', '${ada}', 'github', 'oauth');
    insert into auth.sso_providers (id) values ('${bob}');
    insert into auth.saml_relay_states (id, sso_provider_id, request_id, for_email)
    values ('${session}', '${bob}', 'r', '${email}');
    insert into auth.oauth_authorizations (id, authorization_id, client_id, user_id, redirect_uri, scope)
    values ('${session}', 'a', '${bob}', '${ada}', '', '');
    insert into auth.oauth_consents (id, user_id, client_id, scopes) values ('${session}', '${ada}', '${bob}', '');
    insert into auth.webauthn_credentials (user_id, credential_id, public_key) values ('${ada}', '', '');
    insert into auth.webauthn_challenges (user_id, challenge_type, session_data, expires_at)
    values ('${ada}', 'signup', '{}', now());
    insert into storage.buckets (id, name, owner, owner_id) values ('hers', 'hers', '${ada}', '${ada}');
    insert into storage.objects (bucket_id, name, owner_id) values ('hers', 'photo', '${ada}');
    insert into storage.s3_multipart_uploads (id, upload_signature, bucket_id, key, version, owner_id)
    values ('u', '', 'hers', 'film', '', '${ada}');
    insert into storage.s3_multipart_uploads_parts (upload_id, part_number, bucket_id, key, etag, owner_id, version)
    values ('u', 1, 'hers', 'film', '', '${ada}', gen_random_uuid());
    insert into clew_storage.resumable_uploads (id, bucket_id, name, owner_id, upsert, metadata, expires_at)
    values ('${session}', 'hers', 'song', '${ada}', false, '{}', now() + interval '1 day');
    insert into clew_analytics.imported_persons values ('imported', '${ada}');
    insert into clew_analytics.group_types values ('company', 0, now());
    insert into clew_analytics.groups (type, key, properties, created_at)
    values ('company', 'x', '{"owner": "${email}"}', now());
    insert into clew_analytics.consents values ('${ada}', true, now());
    insert into clew_analytics.capture_settings values ('record_canvas', 'true', now(), '${email}');
    insert into clew_flags.flags (key, filters) values ('new', '{"email": "${email}"}');
    insert into clew_flags.changes (flag_id, version, changed_by, flag) select id, 1, '${email}', '{}' from clew_flags.flags;
    insert into clew_flags.cohorts (name, filters) values ('some', '{"email": "${email}"}');
    insert into clew_flags.cohort_members select id, '${ada}' from clew_flags.cohorts;
    insert into clew_flags.overrides select id, '${ada}', 'true' from clew_flags.flags;
    insert into clew_flags.buckets select id, '${ada}', 'b' from clew_flags.flags;
    insert into clew_issues.issues (id, title, type, message, culprit, level, source, first_seen_at, last_seen_at)
    values ('${bob}', 'No ${email}', '', '', '', '', '', now(), now());
    insert into clew_operators.session_views (id, created_by, name, search, created_at)
    values ('${session}', '${email}', 'Those with an error', '{"status": 500}', now()),
      ('${bob}', 'op@x.test', 'Of ${name}', '{"person": "${ada}"}', now());
    insert into clew_retention.holds (id, kind, user_id, ids, session_id, from_at, reason, created_by, created_at, ended_at)
    values ('${session}', 'person', '${ada}', '{"${ada}"}', null, null, 'Claim', 'op@x.test', now(), now()),
      ('${bob}', 'span', null, '{}', null, now(), 'Said by ${name}', 'op@x.test', now(), now());
    insert into clew_net.deliveries (request_id, hook_name, table_schema, table_name, event, method, url, headers,
      timeout_milliseconds, state)
    values (1, '', '', '', '', '', 'https://x.test?to=${email}', '{}', 1, 'delivered'),
      (2, '', '', '', '', '', 'https://x.test?to=${email}', '{}', 1, 'waiting');
    insert into clew_net.sent_requests (request_id, method, url, queued_at, sent_at, finished_at)
    values (1, 'GET', 'https://x.test?to=${email}', now(), now(), now());
    insert into net._http_response (id, content) values (1, '${email}');
    insert into net.http_request_queue (method, url, headers, timeout_milliseconds)
    values ('GET', 'https://x.test?to=${email}', '{}', 1);
    insert into cron.job_run_details (jobid, command, return_message) values (1, $$select '${email}'$$, 'to ${name}')`
  for (const text of traces.split(';\n')) await db.admin.query({ text, values: [] })
  const time = new Date().toISOString().replace('T', ' ').replace('Z', '')
  // What others did on a page whose address names her is theirs.
  const told = { timestamp: time, client_time: time, received_at: time, current_url: `https://shop.test/of/${ada}` }
  const point = { x: 1, y: 1, type: 'click', target_fixed: false }
  const properties = {
    ...{ $heatmap_data: { [told.current_url]: [point] }, $web_vitals_LCP_value: 900, $groups: { company: 'x' } },
  }
  await clickhouse.insert(
    'events',
    [ada, bob].flatMap((id) =>
      ['$$heatmap', '$web_vitals'].map((event) => ({
        ...{ ...told, uuid: uuidv7(), event, distinct_id: id, properties: JSON.stringify(properties) },
      })),
    ),
  )
  const recorded = { session_id: session, uuid: uuidv7(), distinct_id: ada, received_at: Date.now() }
  await clickhouse.insert('snapshots', [recorded])
  // Her name in others' events, in a property that has a column.
  await addColumn(clickhouse, 'of')
  await fillColumn(clickhouse, 'of', { signal: AbortSignal.timeout(60_000), progress: async () => undefined })
  await clickhouse.insert('kept_longer', [{ pass: 'p', at: Math.floor(Date.now() / 1000), kind: 'id', value: ada }])
  await clickhouse.insert('frames', [{ id: 'f', time, session_id: session, user_id: ada, topic: 'room' }])
  const traced = { time, trace_id: 'a1', session_id: session, attributes: `{"to":"${email}"}` }
  await clickhouse.insert('spans', [{ ...traced, span_id: 'b1' }])
  await clickhouse.insert('server_logs', [{ ...traced, id: 'l' }])
  await clickhouse.insert('function_logs', [{ id: 'o', time, name: 'f', request_id: 'of-ada', text: 'hello' }])
}

/** Every table of both engines but the system's, and those in which a name of Ada stands. */
async function look({ db, clickhouse }: World) {
  const schemas = '^(?!pg_|information_schema)'
  const named = new Set<string>()
  for (const text of everyName)
    for (const table of await tablesWith(db, clickhouse, text, { schemas })) named.add(table)
  const { rows } = await db.admin.query<{ name: string }>({
    text: `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname ~ $1`,
    values: [schemas],
  })
  const stored = await clickhouse.query<{ name: string }>({
    text: `select name from system.tables where database = currentDatabase() and engine like '%MergeTree'`,
    parameters: {},
  })
  return { all: [...rows, ...stored].map(({ name }) => name), named: [...named].toSorted() }
}

test('a person with a trace in every store is erased from each, and what stays is reported', {
  timeout: 240_000,
}, async ({ world }) => {
  const { db, clickhouse, spools, open } = world
  const { storage } = await openStorage(db)
  await fill(world)
  await leaveTraces(world)
  const { all, named } = await look(world)
  expect(all.filter((table) => !named.includes(table) && !withoutPeople.has(table) && !(table in reported))).toEqual([])

  const files = storagePersonStore(storage, db.admin)
  const { ask, erasures } = await open('owner', { stores: personStores({ postgres: db, clickhouse }, files, spools) })
  erasures.start()
  const tables = ['orders', 'posts'].map((table) => ({
    ...{ schema: 'public', table, column: table === 'posts' ? 'author_id' : 'user_id', action: 'delete' },
  }))
  const wish = { kind: 'user', id: ada, texts: [email, name], tables, refuse: false }
  const { body } = await ask('POST', '/privacy/erasures', wish)
  const one = async () => (await ask('GET', `/privacy/erasures/${body.id}`)).body
  await expect.poll(async () => (await one()).state, { timeout: 180_000 }).toBe('done')

  const after = await look(world)
  expect(after.named.filter((table) => !(table in reported))).toEqual([])
  const { left, stores } = await one()
  expect(left.map(({ table }: { table: string }) => table).toSorted()).toEqual(after.named)
  const went = (store: string) => stores.find((each: { store: string }) => each.store === store)
  expect(went('messages of queues')).toMatchObject({ removed: 2, rewritten: 0 })
  expect(went('heat maps')).toMatchObject({ removed: 1, rewritten: 1 })
  expect(went('web vitals')).toMatchObject({ removed: 1, rewritten: 1 })
  expect(went('visits of groups')).toMatchObject({ removed: 1, rewritten: 0 })
  expect(await clickhouse.query({ text: 'select page from page_uses final', parameters: {} })).toEqual([
    { page: 'https://shop.test/of/[erased]' },
  ])
  expect(went('messages sent by SQL')).toMatchObject({ removed: 2 })
  expect(went('runs of jobs')).toMatchObject({ removed: 0, rewritten: 1 })
  expect(went('saved views')).toMatchObject({ removed: 1, rewritten: 1 })
  const ofOthers = { text: "select `property_of` as of from events where event = 'wrote'", parameters: {} }
  expect(await clickhouse.query(ofOthers)).toEqual([{ of: '"[erased]"' }])
  const rows = async (text: string) => (await db.admin.query<object>({ text, values: [] })).rows
  expect(await rows(`select message from pgmq."q_night-mail"`)).toEqual([{ message: { to: 'bob' } }])
  expect(await rows(`select topic from realtime.messages`)).toEqual([{ topic: 'of-bob' }])
  expect(await rows(`select command, return_message from cron.job_run_details`)).toEqual([
    { command: `select '[erased]'`, return_message: 'to [erased]' },
  ])
})
