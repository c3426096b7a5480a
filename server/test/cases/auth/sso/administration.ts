import { expect } from 'vitest'
import { createIdp } from '../../../saml-idp.ts'
import type { AuthCase } from '../case.ts'
import { refusalOf, signUp } from '../people.ts'
import { addProvider, callProviders, idp, other } from './saml.ts'

const badProviders: readonly (readonly [string, object])[] = [
  ['of another type', { type: 'oidc' }],
  ['without metadata', { metadata_xml: '' }],
  ['with metadata twice', { metadata_url: 'https://idp.example/metadata' }],
  ['whose metadata is at http', { metadata_xml: '', metadata_url: 'http://idp.example/metadata' }],
  ['whose metadata has no address', { metadata_xml: '', metadata_url: 'idp' }],
  ['whose metadata is no XML', { metadata_xml: 'nonsense' }],
  ['whose metadata is something else', { metadata_xml: '<a/>' }],
  ['whose metadata has no entity id', { metadata_xml: createIdp('').metadata() }],
  ['whose metadata has a type declaration', { metadata_xml: `<!DOCTYPE a>${idp.metadata()}` }],
  ['whose metadata has no certificate', { metadata_xml: idp.metadata().replaceAll('X509Certificate', 'Nothing') }],
  [
    'whose metadata has nowhere to go',
    { metadata_xml: idp.metadata().replace('https://idp.example/login', 'javascript:') },
  ],
  ['with an unknown form of name', { name_id_format: 'urn:nonsense' }],
  ['with an empty domain', { domains: [''] }],
]

const badJson: readonly (readonly [string, object])[] = [
  ['domains that are no list', { domains: 'corp.example' }],
  ['a mapping that is none', { attribute_mapping: { keys: { role: 'role' } } }],
  ['names that are no texts', { attribute_mapping: { keys: { role: { names: [1] } } } }],
]

/** Addresses that only this machine and its networks can reach (auth §35.33). */
const inside = [
  'https://127.0.0.1/metadata',
  'https://localhost/metadata',
  'https://169.254.169.254/latest/meta-data',
  'https://[::1]/metadata',
  'https://[::ffff:127.0.0.1]/metadata',
  'https://10.0.0.1/metadata',
  'https://0x7f000001/metadata',
  'https://2130706433/metadata',
]

/** The administration of single sign-on, and what is switched off (auth §17). */
export const ssoAdministrationCases: readonly AuthCase[] = [
  ...(
    [
      ['POST', '/sso'],
      ['GET', '/sso/saml/metadata'],
      ['POST', '/sso/saml/acs'],
    ] as const
  ).map(
    ([method, path]): AuthCase => ({
      row: '17',
      rule: `switched off, ${method} ${path} answers 404 saml_provider_disabled`,
      async run(auth) {
        const body = method === 'POST' ? { body: path === '/sso' ? { domain: 'a.example' } : 'a=b' } : {}
        expect(refusalOf(await auth.call(method, path, body))).toEqual([404, 'saml_provider_disabled'])
      },
    }),
  ),
  ...['ServiceProviderConfig', 'ResourceTypes', 'Schemas'].map(
    (name): AuthCase => ({
      row: '17',
      rule: `SCIM's ${name} answers 404 feature_disabled`,
      run: async (auth) =>
        expect(refusalOf(await auth.call('GET', `/scim/v2/${name}`))).toEqual([404, 'feature_disabled']),
    }),
  ),
  ...badProviders.map(
    ([what, more]): AuthCase => ({
      row: '17',
      rule: `a provider ${what} is rejected`,
      async run(auth) {
        const body = { type: 'saml', metadata_xml: idp.metadata(), ...more }
        expect(refusalOf(await callProviders(auth, 'POST', '', body))).toEqual([400, 'validation_failed'])
      },
    }),
  ),
  ...badJson.map(
    ([what, more]): AuthCase => ({
      row: '1',
      rule: `a provider with ${what} is rejected`,
      async run(auth) {
        const body = { type: 'saml', metadata_xml: idp.metadata(), ...more }
        expect(refusalOf(await callProviders(auth, 'POST', '', body))).toEqual([400, 'bad_json'])
      },
    }),
  ),
  ...inside.map(
    (url): AuthCase => ({
      row: '35.33',
      rule: `metadata at ${url} is not fetched`,
      async run(auth) {
        const body = { type: 'saml', metadata_url: url }
        expect(refusalOf(await callProviders(auth, 'POST', '', body))).toEqual([400, 'saml_metadata_fetch_failed'])
      },
    }),
  ),
  {
    row: '17',
    rule: 'administrators keep the providers',
    async run(auth) {
      expect((await callProviders(auth, 'GET', '')).body).toEqual({ items: [] })
      const mapping = { keys: { role: { names: ['groups', 'role'], array: true, default: ['guest'] } } }
      const created = await addProvider(auth, { resource_id: 'one', attribute_mapping: mapping })
      expect(created).toMatchObject({
        resource_id: 'one',
        disabled: null,
        saml: { entity_id: idp.entityId, metadata_xml: idp.metadata(), attribute_mapping: mapping },
        domains: [{ domain: 'corp.example' }],
      })
      const listed = (await callProviders(auth, 'GET', '')).body.items
      expect(listed).toMatchObject([{ id: created.id }])
      expect(listed[0].saml.metadata_xml).toBeUndefined()
      for (const [query, count] of [
        ['?resource_id=one', 1],
        ['?resource_id=on', 0],
        ['?resource_id_prefix=on', 1],
        ['?resource_id_prefix=%25', 0],
      ] as const)
        expect((await callProviders(auth, 'GET', query)).body.items).toHaveLength(count)
      for (const path of [`/${created.id}`, '/resource_one'])
        expect((await callProviders(auth, 'GET', path)).body.id).toBe(created.id)
      const changed = await callProviders(auth, 'PUT', `/${created.id}`, {
        domains: ['corp.example', 'corp.test'],
        disabled: true,
        resource_id: '',
      })
      expect(changed.body).toMatchObject({
        disabled: true,
        saml: { attribute_mapping: mapping },
        domains: [{ domain: 'corp.example' }, { domain: 'corp.test' }],
      })
      expect(changed.body.resource_id).toBeUndefined()
      const fewer = await callProviders(auth, 'PUT', `/${created.id}`, { domains: [] })
      expect(fewer.body.domains).toEqual([])
      expect((await callProviders(auth, 'DELETE', `/${created.id}`)).body.id).toBe(created.id)
      for (const path of [`/${created.id}`, '/resource_one', '/nonsense', '/%00'])
        expect(refusalOf(await callProviders(auth, 'GET', path))).toEqual([404, 'sso_provider_not_found'])
    },
  },
  {
    row: '17',
    rule: 'only administrators see the providers',
    async run(auth) {
      const { access_token: token } = await signUp(auth)
      expect(refusalOf(await auth.call('GET', '/admin/sso/providers'))).toEqual([401, 'no_authorization'])
      expect(refusalOf(await auth.call('GET', '/admin/sso/providers', { token }))).toEqual([403, 'not_admin'])
    },
  },
  {
    row: '17',
    rule: 'an entity id, a domain and a resource id belong to one provider',
    async run(auth) {
      await addProvider(auth, { resource_id: 'one' })
      const create = async (more: object) =>
        refusalOf(await callProviders(auth, 'POST', '', { type: 'saml', metadata_xml: other.metadata(), ...more }))
      expect(await create({ metadata_xml: idp.metadata() })).toEqual([422, 'saml_idp_already_exists'])
      expect(await create({ domains: ['CORP.example'] })).toEqual([400, 'sso_domain_already_exists'])
      expect(await create({ resource_id: 'ONE' })).toEqual([422, 'conflict'])
      const second = await addProvider(auth, { domains: ['other.example'] }, other)
      const change = async (more: object) => refusalOf(await callProviders(auth, 'PUT', `/${second.id}`, more))
      expect(await change({ domains: ['corp.example'] })).toEqual([400, 'sso_domain_already_exists'])
      expect(await change({ metadata_xml: idp.metadata() })).toEqual([400, 'saml_entity_id_mismatch'])
      expect(await change({ resource_id: 'one' })).toEqual([422, 'conflict'])
      expect((await callProviders(auth, 'GET', `/${second.id}`)).body.domains).toMatchObject([
        { domain: 'other.example' },
      ])
    },
  },
]
