import type { AuthSetup } from '../../lib/api/schemas.ts'
import { useRights } from '../../lib/rights.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { Code } from '../../ui/code.tsx'
import { ApiKeyPart } from './api-key-part.tsx'
import { InstanceSecrets } from './instance-secrets.tsx'
import { RotateKeys } from './rotate-keys.tsx'

interface KeysPartProps {
  readonly setup: Pick<AuthSetup, 'keys' | 'apiKeys' | 'publishableKey'>
}

/** The keys of the API and of tokens, and when each was last used. Secret ones are told on the machine alone. */
export function KeysPart({ setup: { keys, apiKeys, publishableKey } }: KeysPartProps) {
  const { canProtect } = useRights()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1)
    <div className="min-h-0 flex-1 overflow-y-auto" tabIndex={0}>
      <div className="mx-auto grid max-w-[720px] gap-4 px-4 py-6">
        <Card
          title="Publishable key"
          about="Of browsers: it may stand in the application’s pages. Policies decide what it may do."
        >
          <Code text={publishableKey} copyLabel="Copy the publishable key" />
          <ApiKeyPart keys={apiKeys} name="publishable" token="anon" />
        </Card>
        <Card
          title="Secret key"
          about="Of servers: it passes every policy. The console does not show it; the machine does."
        >
          <Code text="clew keys" copyLabel="Copy the command" />
          <ApiKeyPart keys={apiKeys} name="secret" token="service_role" />
        </Card>
        <Card
          title="Keys of tokens"
          about="One signs the access tokens of users; all verify, so that a rotation signs no user out. Others read the public ones at /auth/v1/.well-known/jwks.json."
        >
          {keys.length === 0 ? (
            <p className="text-ink-2">Tokens are signed with the shared secret (HS256), which is never published.</p>
          ) : (
            <ul aria-label="Keys of tokens" className="grid divide-y divide-line">
              {keys.map(({ kid, algorithm, signs }) => (
                <li key={kid} className="flex min-w-0 items-center gap-3 py-2">
                  <span className="mono min-w-0 flex-1 truncate" title={kid}>
                    {kid}
                  </span>
                  <span className="text-ink-2">{algorithm}</span>
                  <Badge tone={signs ? 'ok' : 'quiet'}>{signs ? 'signs' : 'verifies'}</Badge>
                </li>
              ))}
            </ul>
          )}
          {canProtect ? (
            <RotateKeys />
          ) : (
            <p className="text-ink-2 text-sm">Owners rotate them, here or by clew keys rotate.</p>
          )}
        </Card>
        <InstanceSecrets />
      </div>
    </div>
  )
}
