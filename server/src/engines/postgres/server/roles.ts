/** Who owns what is Clew's, and the cluster itself when it is embedded. */
export const superuser = 'supabase_admin'

/** Who requests log in as: may become a caller's role, and has no rights of its own. */
export const authenticator = 'authenticator'

/** Who owns the application's objects. */
export const owner = 'postgres'

/** Who owns the tables of `auth`, and works on them: triggers that the application puts there run with its rights. */
export const authAdmin = 'supabase_auth_admin'

/** Extensions whose scripts need a superuser, but which the application's owner may create nonetheless. */
export const ownersExtensions: readonly string[] = [
  'autoinc',
  'bloom',
  'btree_gin',
  'btree_gist',
  'citext',
  'cube',
  'dblink',
  'dict_int',
  'dict_xsyn',
  'earthdistance',
  'fuzzystrmatch',
  'hstore',
  'insert_username',
  'intagg',
  'intarray',
  'isn',
  'lo',
  'ltree',
  'moddatetime',
  'pg_buffercache',
  'pg_freespacemap',
  'pg_prewarm',
  'pg_stat_statements',
  'pg_trgm',
  'pg_visibility',
  'pg_walinspect',
  'pgcrypto',
  'pgrowlocks',
  'pgstattuple',
  'postgres_fdw',
  'refint',
  'seg',
  'sslinfo',
  'tablefunc',
  'tcn',
  'tsm_system_rows',
  'tsm_system_time',
  'unaccent',
  'uuid-ossp',
  'xml2',
]
