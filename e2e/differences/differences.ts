/** What shows that a difference is there: a statement as role `postgres`, a request, or a key of `config.toml`. */
type Proof =
  | { readonly kind: 'answer'; readonly sql: string; readonly rows: readonly object[] }
  | { readonly kind: 'error'; readonly sql: string; readonly code: string }
  | { readonly kind: 'plan'; readonly sql: readonly string[]; readonly contains: string }
  | { readonly kind: 'request'; readonly path: string; readonly status: number }
  | { readonly kind: 'key'; readonly toml: string; readonly key: string }

/** One thing that a Supabase project finds otherwise here. */
export interface Difference {
  readonly subject: string
  readonly supabase: string
  readonly clew: string
  /** What a project does about it; absent where nothing need be done. */
  readonly instead?: string
  readonly proof: Proof
}

interface Chapter {
  readonly title: string
  readonly differences: readonly Difference[]
}

const vectors = 'create extension vector with schema extensions; set local search_path = public, extensions'

const missingExtensions = [
  'hypopg',
  'index_advisor',
  'pg_graphql',
  'pg_repack',
  'pgaudit',
  'pgroonga',
  'pgsodium',
  'pgtap',
  'plpgsql_check',
  'plv8',
  'postgis',
  'rum',
  'timescaledb',
  'wrappers',
] as const

/** Each is proved by `differences.test.ts` against the running product, and fails there when it is none any more. */
export const differences: readonly Chapter[] = [
  {
    title: 'Services',
    differences: [
      {
        subject: 'GraphQL',
        supabase: 'serves `/graphql/v1` by `pg_graphql`',
        clew: 'answers 501',
        instead: 'REST with embedded resources',
        proof: { kind: 'request', path: '/graphql/v1', status: 501 },
      },
    ],
  },
  {
    title: 'The database',
    differences: [
      {
        subject: 'Version',
        supabase: 'PostgreSQL 15 or 17',
        clew: 'PostgreSQL 18; a `db.major_version` of another one is named in the log of the first start',
        proof: {
          kind: 'answer',
          sql: `select current_setting('server_version_num')::int / 10000 as version`,
          rows: [{ version: 18 }],
        },
      },
      {
        subject: 'Order of texts',
        supabase: 'by the language rules of `en_US.UTF-8`: `apple`, `Berry`',
        clew: 'by code points (`C.UTF-8`), alike on every machine: `Berry`, `apple`',
        instead: '`order by name collate "en-x-icu"`',
        proof: {
          kind: 'answer',
          sql: `select 'apple' < 'Berry' as plain, 'apple' < 'Berry' collate "en-x-icu" as collated`,
          rows: [{ plain: false, collated: true }],
        },
      },
      {
        subject: 'Pooler',
        supabase: 'one on port 54329 or 6543',
        clew: 'none: Clew pools its own connections, and tools connect to PostgreSQL itself',
        proof: { kind: 'key', toml: '[db.pooler]\nenabled = true', key: 'db.pooler.enabled' },
      },
      {
        subject: 'Network restrictions',
        supabase: 'limits the addresses that may connect',
        clew: 'listens on 127.0.0.1 only',
        proof: {
          kind: 'key',
          toml: '[db.network_restrictions]\nenabled = true',
          key: 'db.network_restrictions.enabled',
        },
      },
      {
        subject: 'Event triggers in `psql`',
        supabase: '`postgres` creates them anywhere',
        clew: 'in files of the project folder; elsewhere the statement is refused',
        instead: '`select clew_owner.create_event_trigger(…)`',
        proof: {
          kind: 'error',
          sql: `create function on_ddl() returns event_trigger language plpgsql as 'begin end';
            create event trigger on_ddl on ddl_command_end execute function on_ddl()`,
          code: '42501',
        },
      },
      {
        subject: 'Roles of the platform',
        supabase: '`supabase_read_only_user`, `supabase_etl_admin`, `supabase_replication_admin`, `pgbouncer`',
        clew: 'are not there',
        proof: {
          kind: 'answer',
          sql: `select count(*)::int as n from pg_roles
            where rolname in ('supabase_read_only_user', 'supabase_etl_admin', 'supabase_replication_admin', 'pgbouncer')`,
          rows: [{ n: 0 }],
        },
      },
      {
        subject: '`api.auto_expose_new_tables` not set',
        supabase: 'counts as `false` in the newest command line',
        clew: 'counts as `true`, as projects older than the key expect',
        instead: 'set it to `false` before the first start',
        proof: {
          kind: 'answer',
          sql: `create table public.fresh (id int); select has_table_privilege('anon', 'public.fresh', 'select') as reads`,
          rows: [{ reads: true }],
        },
      },
    ],
  },
  {
    title: 'Extensions',
    differences: [
      {
        subject: 'Missing ones',
        supabase: 'has some sixty',
        clew: `lacks among others ${missingExtensions.map((name) => `\`${name}\``).join(', ')}`,
        instead:
          'files of the project folder leave some out; others by `missing_extensions = "skip"`, or a PostgreSQL of your own that has them (`--database-url`)',
        proof: {
          kind: 'answer',
          sql: `select coalesce(array_agg(name::text), '{}') as found from pg_available_extensions
            where name in (${missingExtensions.map((name) => `'${name}'`).join(', ')})`,
          rows: [{ found: [] }],
        },
      },
      {
        subject: '`vector`: indexes',
        supabase: 'searches by `hnsw` and `ivfflat`',
        clew: 'accepts the indexes, and computes every distance exactly',
        proof: {
          kind: 'plan',
          sql: [
            vectors,
            `create table docs as select i as id, array[i, 1]::vector(2) as v from generate_series(1, 500) i`,
            'create index on docs using hnsw (v vector_l2_ops); set local enable_seqscan = off',
            `explain select id from docs order by v <-> '[3,1]' limit 1`,
          ],
          contains: 'Seq Scan',
        },
      },
      {
        subject: '`vector`: options of indexes',
        supabase: '`with (m = 16)`',
        clew: 'left out of files of the project folder, refused elsewhere',
        proof: {
          kind: 'error',
          sql: `${vectors}; create table docs (v vector(2)); create index on docs using hnsw (v vector_l2_ops) with (m = 16)`,
          code: '22023',
        },
      },
      {
        subject: '`vector`: binary format',
        supabase: 'is read and written',
        clew: 'text only',
        proof: {
          kind: 'error',
          sql: `${vectors}; copy (select '[1]'::vector) to stdout (format binary)`,
          code: '42883',
        },
      },
      {
        subject: '`vector`: `copy … from`',
        supabase: 'checks the number of dimensions of the column',
        clew: 'checks it in every other statement, but in `json_to_recordset` with a number',
        proof: {
          kind: 'answer',
          sql: `${vectors}; select v::text from json_to_recordset('[{"v":"[1,2]"}]') as x (v vector(3))`,
          rows: [{ v: '[1,2]' }],
        },
      },
      {
        subject: '`http`',
        supabase: 'sends requests inside a statement',
        clew: 'has its types and helpers; a request is refused with a hint',
        instead: '`net.http_get`, `net.http_post`',
        proof: {
          kind: 'error',
          sql: `create extension http with schema extensions; select extensions.http_get('https://example.com')`,
          code: '0A000',
        },
      },
      {
        subject: '`pgmq`: partitioned queues',
        supabase: 'by `pg_partman`',
        clew: 'are refused',
        instead: '`pgmq.create`',
        proof: {
          kind: 'error',
          sql: `create extension pgmq; select pgmq.create_partitioned('work')`,
          code: '0A000',
        },
      },
      {
        subject: '`pg_net`: its tables',
        supabase: 'are granted to every role',
        clew: 'are for `postgres`; `service_role` reads responses',
        proof: {
          kind: 'error',
          sql: `set local role authenticated; select * from net.http_request_queue`,
          code: '42501',
        },
      },
    ],
  },
]
