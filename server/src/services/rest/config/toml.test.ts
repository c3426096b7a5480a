import { parse } from 'smol-toml'
import { expect, test } from 'vitest'
import { renderRestToml } from './toml.ts'

test('a file of PostgREST as clew.toml has it, without its secrets', () => {
  const { lines, others } = renderRestToml(
    new Map<string, string | number | boolean>([
      ['db-uri', 'postgresql://authenticator:secret@localhost/shop'],
      ['db-schema', 'api, public'],
      ['db-extra-search-path', ''],
      ['db-anon-role', 'web "anon"'],
      ['max-rows', 100],
      ['db-plan-enabled', true],
      ['jwt-secret', 'reallyreallyreallyreallyverysafe'],
      ['server-port', 3000],
      ['app.settings.tax.rate', '0.2'],
    ]),
  )
  expect(parse(lines.join('\n'))).toEqual({
    rest: {
      db_schemas: ['api', 'public'],
      db_extra_search_path: [],
      db_anon_role: 'web "anon"',
      db_max_rows: 100,
      db_plan_enabled: true,
      app_settings: { 'tax.rate': '0.2' },
    },
  })
  expect(others).toEqual(['db-uri', 'jwt-secret', 'server-port'])
})
