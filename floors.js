// Who may import whom: the walls between the rooms, checked by `npm run check`.
const forbid = (name, from, to) => ({ name, severity: 'error', from, to })

export default {
  forbidden: [
    forbid('imports run one way', {}, { circular: true }),
    forbid(
      'ground stands on nothing of ours',
      { path: '^server/src/ground/' },
      { path: '^server/src/(engines|services|gateway|cli)/' },
    ),
    forbid(
      'ground is pure',
      { path: '^server/src/ground/', pathNot: '[.]test[.]ts$' },
      { path: '^(node:)?(fs|net|http|https|child_process|tls|dns)$|^node_modules/(pg|fastify|chdb)/' },
    ),
    forbid(
      'engines stand on ground',
      { path: '^server/src/engines/' },
      { path: '^server/src/(services|gateway|cli)/' },
    ),
    forbid(
      'services stand below the gateway',
      { path: '^server/src/services/' },
      { path: '^server/src/(gateway|cli)/' },
    ),
    forbid(
      'services do not meet',
      { path: '^server/src/services/([^/]+)/' },
      { path: '^server/src/services/', pathNot: '^server/src/services/$1/' },
    ),
    forbid(
      'a room is entered by its door',
      { path: '^server/src/([^/]+)/([^/]+)/' },
      { path: '^server/src/(engines|services)/', pathNot: ['^server/src/$1/$2/', '/index[.]ts$'] },
    ),
    forbid(
      'a room is entered by its door (from above)',
      { path: '^server/src/(gateway/|cli/|change-worker/|[^/]+[.]ts$)' },
      { path: '^server/src/(engines|services)/', pathNot: '/index[.]ts$' },
    ),
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
