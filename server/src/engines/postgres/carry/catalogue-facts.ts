import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { type SqlFragment, sql } from '../../../ground/sql/sql.ts'
import type { BulkConnection } from '../bulk/bulk-connection.ts'

/** What is said of an object by the catalogues, by its kind and name. */
type Facts = ReadonlyMap<string, string>

interface FactRow {
  readonly kind: string
  readonly name: string
  readonly facts: string
}

/** Rights as a sorted list; `default` where they are those that the owner's object has from its making. */
const rights = (acl: SqlFragment, type: SqlFragment, owner: SqlFragment): SqlFragment => sql`
  (select case
     when ${acl} is null or (${acl} @> acldefault(${type}, ${owner}) and acldefault(${type}, ${owner}) @> ${acl}) then 'default'
     else (select string_agg(a::text, ' ' order by a::text) from unnest(${acl}) a) end)`

const ofCluster = sql`
  select 'role' as kind, rolname::text as name,
    concat_ws(' ', oid, rolsuper, rolinherit, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication, rolbypassrls,
      rolconnlimit, rolvaliduntil, md5(rolpassword), md5(shobj_description(oid, 'pg_authid'))) as facts
  from pg_authid where oid >= 16384 or oid = 10
  union all
  select 'membership', concat_ws(' ', pg_get_userbyid(roleid), pg_get_userbyid(member), pg_get_userbyid(grantor)),
    concat_ws(' ', admin_option, inherit_option, set_option)
  from pg_auth_members where roleid >= 16384 or member >= 16384
  union all
  select 'setting', concat_ws(' ', coalesce(d.datname, '*'), case when s.setrole = 0 then '*' else pg_get_userbyid(s.setrole) end),
    s.setconfig::text
  from pg_db_role_setting s left join pg_database d on d.oid = s.setdatabase
  union all
  select 'parameter', p.parname, (select string_agg(concat_ws(' ', a.grantee, a.privilege_type, a.is_grantable), ',' order by a.grantee, a.privilege_type)
    from aclexplode(p.paracl) a)
  from pg_parameter_acl p
  union all
  select 'database', datname, concat_ws(' ', oid, pg_get_userbyid(datdba), pg_encoding_to_char(encoding), datlocprovider, datcollate,
    datctype, datistemplate, datconnlimit, ${rights(sql`datacl`, sql`'d'`, sql`datdba`)}, md5(shobj_description(oid, 'pg_database')))
  from pg_database where datname <> 'template0'`

const ofDatabase = sql`
  select 'schema' as kind, nspname::text as name,
    concat_ws(' ', pg_get_userbyid(nspowner), ${rights(sql`nspacl`, sql`'n'`, sql`nspowner`)}) as facts
  from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'
  union all
  select 'relation', format('%s.%s', relnamespace::regnamespace, relname),
    concat_ws(' ', oid, relkind, relpersistence, pg_get_userbyid(relowner), relrowsecurity, relforcerowsecurity, relreplident,
      relispartition, reloptions, ${rights(sql`relacl`, sql`case when relkind = 'S' then 's' else 'r' end::"char"`, sql`relowner`)})
  from pg_class where oid >= 16384 and relkind not in ('t') and relpersistence <> 't' and relnamespace <> 'pg_toast'::regnamespace
  union all
  select 'column', format('%s %s', a.attrelid, a.attname),
    concat_ws(' ', a.attnum, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.atthasdef, a.attidentity, a.attgenerated,
      a.attstorage, a.attcompression, a.attcollation::regcollation, a.attoptions, a.attacl)
  from pg_attribute a join pg_class c on c.oid = a.attrelid
  where a.attrelid >= 16384 and a.attnum > 0 and not a.attisdropped and c.relkind not in ('t', 'i', 'I') and c.relpersistence <> 't'
  union all
  select 'index', indexrelid::regclass::text, concat_ws(' ', indrelid, indisunique, indisprimary, indisexclusion, indimmediate,
    indisclustered, indisvalid, indisreplident, indkey, indoption, indexprs is not null, indpred is not null)
  from pg_index where indexrelid >= 16384 and indrelid not in (select oid from pg_class where relkind = 't')
  union all
  select 'constraint', format('%s %s %s', conrelid, contypid, conname),
    concat_ws(' ', contype, condeferrable, condeferred, convalidated, confrelid, conkey, confkey, confupdtype, confdeltype)
  from pg_constraint where (conrelid >= 16384 or contypid >= 16384) and contype <> 'n'
  union all
  select 'function', oid::regprocedure::text, concat_ws(' ', prokind, pg_get_userbyid(proowner), prosecdef, proleakproof, proisstrict,
    provolatile, proparallel, proconfig, procost, prorows, (select lanname from pg_language l where l.oid = prolang), probin, md5(prosrc), ${rights(sql`proacl`, sql`'f'`, sql`proowner`)})
  from pg_proc where oid >= 16384
  union all
  select 'type', oid::regtype::text, concat_ws(' ', oid, typtype, pg_get_userbyid(typowner), typnotnull, typbasetype,
    ${rights(sql`typacl`, sql`'T'`, sql`typowner`)})
  from pg_type where oid >= 16384 and typtype <> 'c' and typcategory <> 'A'
  union all
  select 'enum', format('%s %s', enumtypid::regtype, enumlabel), concat_ws(' ', oid, row_number() over (partition by enumtypid order by enumsortorder)) from pg_enum
  union all
  select 'trigger', format('%s %s', tgrelid::regclass, tgname), concat_ws(' ', tgfoid::regprocedure, tgtype, tgenabled, tgdeferrable, tgattr, tgargs)
  from pg_trigger where not tgisinternal
  union all
  select 'rule', format('%s %s', ev_class::regclass, rulename), concat_ws(' ', ev_type, ev_enabled, is_instead)
  from pg_rewrite where ev_class >= 16384
  union all
  select 'policy', format('%s %s', polrelid::regclass, polname), concat_ws(' ', polcmd, polpermissive, polqual is null, polwithcheck is null,
    array(select case when r = 0 then 'public' else pg_get_userbyid(r) end from unnest(polroles) r order by 1))
  from pg_policy
  union all
  select 'publication', pubname, concat_ws(' ', pg_get_userbyid(pubowner), puballtables, pubinsert, pubupdate, pubdelete, pubtruncate, pubviaroot)
  from pg_publication
  union all
  select 'published table', format('%s %s', p.pubname, r.prrelid::regclass), concat_ws(' ', r.prqual is null, r.prattrs)
  from pg_publication_rel r join pg_publication p on p.oid = r.prpubid
  union all
  select 'event trigger', evtname, concat_ws(' ', pg_get_userbyid(evtowner), evtevent, evtfoid::regprocedure, evtenabled, evttags)
  from pg_event_trigger
  union all
  select 'extension', extname, concat_ws(' ', pg_get_userbyid(extowner), extnamespace::regnamespace, extversion, extconfig)
  from pg_extension
  union all
  select 'member', concat_ws(' ', e.extname, i.type, i.identity), ''
  from pg_depend d
  join pg_extension e on d.refclassid = 'pg_extension'::regclass and d.refobjid = e.oid
  cross join pg_identify_object(d.classid, d.objid, d.objsubid) i
  where d.deptype = 'e'
  union all
  select 'comment', format('%s %s', i.type, i.identity), md5(d.description)
  from pg_description d cross join pg_identify_object(d.classoid, d.objoid, d.objsubid) i
  where d.objoid >= 16384
  union all
  select 'default rights', concat_ws(' ', pg_get_userbyid(defaclrole), case when defaclnamespace = 0 then '*' else defaclnamespace::regnamespace::text end,
    defaclobjtype), (select string_agg(a::text, ' ' order by a::text) from unnest(defaclacl) a)
  from pg_default_acl
  union all
  select i.type, i.identity, ''
  from (
    select 'pg_operator'::regclass as class, oid from pg_operator
    union all select 'pg_opclass'::regclass, oid from pg_opclass
    union all select 'pg_cast'::regclass, oid from pg_cast
    union all select 'pg_collation'::regclass, oid from pg_collation
    union all select 'pg_conversion'::regclass, oid from pg_conversion
    union all select 'pg_language'::regclass, oid from pg_language
    union all select 'pg_foreign_server'::regclass, oid from pg_foreign_server
    union all select 'pg_foreign_data_wrapper'::regclass, oid from pg_foreign_data_wrapper
    union all select 'pg_user_mapping'::regclass, oid from pg_user_mapping
    union all select 'pg_statistic_ext'::regclass, oid from pg_statistic_ext
    union all select 'pg_ts_config'::regclass, oid from pg_ts_config
    union all select 'pg_ts_dict'::regclass, oid from pg_ts_dict
  ) o
  cross join pg_identify_object(o.class, o.oid, 0) i
  where o.oid >= 16384
  union all
  select 'large object', l.oid::text, concat_ws(' ', pg_get_userbyid(l.lomowner), ${rights(sql`l.lomacl`, sql`'L'`, sql`l.lomowner`)}, md5(lo_get(l.oid)))
  from pg_largeobject_metadata l`

const read = async ({ query }: BulkConnection, statement: Statement): Promise<Facts> => {
  const { rows } = await query<FactRow>(statement)
  return new Map(rows.map(({ kind, name, facts }) => [`${kind} ${name}`, facts]))
}

/** Roles, databases and their settings. */
export const readClusterFacts = (connection: BulkConnection): Promise<Facts> => read(connection, compile(ofCluster))

/** Every object of a database that is not the system's, with its owner and its rights. */
export const readDatabaseFacts = (connection: BulkConnection): Promise<Facts> => read(connection, compile(ofDatabase))

const mostNamed = 5

/** What differs, a sentence; null where nothing does. */
export function compareFacts(before: Facts, after: Facts): string | null {
  const names = [...new Set([...before.keys(), ...after.keys()])].filter((name) => before.get(name) !== after.get(name))
  if (names.length === 0) return null
  const said = names
    .slice(0, mostNamed)
    .map((name) => `${name} was ${before.get(name) ?? 'not there'}, and is ${after.get(name) ?? 'not there'}`)
  const more = names.length > mostNamed ? `, and ${names.length - mostNamed} more` : ''
  return `${names.length} objects differ: ${said.join('; ')}${more}.`
}
