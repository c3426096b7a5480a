// Who may import whom: the walls between the rooms, checked by `npm run check`.
const forbid = (name, from, to) => ({ name, severity: 'error', from, to })

// Inside auth: shared folders, each knowing only those before it, and features, which know shared folders only.
const auth = '^server/src/services/auth/'
const authShared = [
  ['model', 'parse', 'render', 'http', 'limits', 'store', 'passwords', 'webauthn', 'providers', 'hooks', 'mails'],
  ['sessions', 'users', 'codes', 'identities'],
].flat()
const authFeatures = [
  ['account', 'admin', 'captcha', 'custom-providers', 'external', 'factors', 'oauth-server', 'passkeys'],
  ['sms-providers', 'sso', 'third-party', 'web3'],
].flat()
const isTest = '[.]test[.]ts$'
const authWalls = [
  ...authShared.map((name, index) =>
    forbid(
      `auth: ${name} knows only what stands before it`,
      { path: `${auth}${name}/`, pathNot: isTest },
      { path: `${auth}(${[...authShared.slice(index + 1), ...authFeatures].join('|')})/` },
    ),
  ),
  forbid('auth: the store knows rows only', { path: `${auth}store/` }, { path: `${auth}(?!(store|model)/)` }),
  forbid(
    'auth: features do not meet',
    { path: `${auth}(${authFeatures.join('|')})/`, pathNot: isTest },
    { path: `${auth}(${authFeatures.join('|')})/`, pathNot: `${auth}$1/` },
  ),
  forbid(
    'auth: its top is composed, not used',
    { path: `${auth}[^/]+/`, pathNot: isTest },
    { path: `${auth}[^/]+[.]ts$` },
  ),
]

export default {
  forbidden: [
    forbid('imports run one way', {}, { circular: true }),
    forbid(
      'ground stands on nothing of ours',
      { path: '^server/src/ground/' },
      { path: '^server/src/', pathNot: '^server/src/ground/' },
    ),
    forbid(
      'ground is pure',
      { path: '^server/src/ground/', pathNot: '[.]test[.]ts$' },
      { path: '^(node:)?(fs|net|http|https|child_process|tls|dns)$|^node_modules/(pg|fastify|chdb)/' },
    ),
    forbid(
      'engines stand on ground',
      { path: '^server/src/engines/' },
      { path: '^server/src/', pathNot: '^server/src/(engines|ground)/' },
    ),
    forbid(
      'services stand on engines, below the gateway',
      { path: '^server/src/services/' },
      { path: '^server/src/', pathNot: '^server/src/(services|engines|ground)/' },
    ),
    forbid(
      'services do not meet',
      { path: '^server/src/services/([^/]+)/' },
      { path: '^server/src/services/', pathNot: '^server/src/services/$1/' },
    ),
    forbid(
      'the gateway knows no instance, and services as plugins only',
      { path: '^server/src/gateway/' },
      { path: '^server/src/(instance|postgrest|change-worker|cli|services|compose[.]ts)' },
    ),
    forbid(
      'the change worker stands below the gateway',
      { path: '^server/src/change-worker/' },
      { path: '^server/src/(gateway|instance|postgrest|cli|compose[.]ts)' },
    ),
    forbid(
      'the REST service alone stands beside the instance',
      { path: '^server/src/postgrest/' },
      { path: '^server/src/(instance|change-worker|cli|compose[.]ts|services/(?!rest/))' },
    ),
    forbid(
      'work on a database stands on engines',
      { path: '^server/src/database/', pathNot: isTest },
      { path: '^server/src/', pathNot: '^server/src/(database|engines|ground)/|^server/src/errors[.]ts' },
    ),
    forbid(
      'the instance stands above what it runs',
      { path: '^server/src/(compose[.]ts|plan/)' },
      { path: '^server/src/(instance|cli)/' },
    ),
    forbid(
      'transfer knows engines, and how a project folder is applied',
      { path: '^server/src/transfer/' },
      { path: '^server/src/(gateway|postgrest|change-worker|cli|plan|settings|services|compose[.]ts)' },
    ),
    forbid(
      'what the package exports knows the process that it starts by messages only',
      { path: '^server/src/package/', pathNot: isTest },
      { path: '^server/src/', pathNot: '^server/src/(package/|listening[.]ts)' },
    ),
    forbid('compose is told of the instance', { path: '^server/src/compose[.]ts$' }, { path: '^server/src/instance/' }),
    forbid('the command line is the top', { pathNot: '^server/(src/cli|test)/' }, { path: '^server/src/cli/' }),
    forbid(
      'a room is entered by its door',
      { path: '^server/src/(?!settings/)([^/]+)/([^/]+)/' },
      { path: '^server/src/(engines|services)/', pathNot: ['^server/src/$1/$2/', '/index[.]ts$'] },
    ),
    forbid(
      'a room is entered by its door (from above)',
      { path: '^server/src/(gateway/|cli/|change-worker/|database/|instance/|plan/|postgrest/|transfer/|[^/]+[.]ts$)' },
      { path: '^server/src/(engines|services)/', pathNot: '/index[.]ts$' },
    ),
    forbid(
      'settings load declarations, and no service with them',
      { path: '^server/src/settings/' },
      { path: '^server/src/(engines|services)/', pathNot: '/(settings|setting-names)[.]ts$' },
    ),
    forbid(
      'gateway, change worker, transfer and the REST service alone are entered by their doors',
      { path: '^server/src/([^/]+)' },
      { path: '^server/src/(gateway|change-worker|postgrest|transfer)/', pathNot: ['^server/src/$1/', '/index[.]ts$'] },
    ),
    ...authWalls,
    forbid('console talks HTTP', { path: '^(console|client|examples)/' }, { path: '^server/' }),
    forbid(
      'screens do not meet',
      { path: '^console/src/screens/([^/]+)/' },
      { path: '^console/src/screens/', pathNot: '^console/src/screens/$1/' },
    ),
    forbid('ui knows no data', { path: '^console/src/ui/' }, { path: '^console/src/(screens|routes|lib)/' }),
    forbid(
      'the player fetches nothing',
      { path: '^console/src/player/' },
      { path: '^console/src/(screens|routes|lib)/' },
    ),
  ],
  // swc reads the TypeScript sources, types included; the native compiler has no API for it.
  options: { parser: 'swc', tsPreCompilationDeps: true, doNotFollow: { path: 'node_modules' } },
}
