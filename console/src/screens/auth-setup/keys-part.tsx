import type { AuthSetup } from '../../lib/api/schemas.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { Code } from '../../ui/code.tsx'

/** The keys of the API and of tokens. Secret ones are told on the machine alone. */
export function KeysPart({ setup: { keys, publishableKey } }: { readonly setup: AuthSetup }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1)
    <div className="min-h-0 flex-1 overflow-y-auto" tabIndex={0}>
      <div className="mx-auto grid max-w-[720px] gap-4 px-4 py-6">
        <Card
          title="Publishable key"
          about="Of browsers: it may stand in the application’s pages. Policies decide what it may do."
        >
          <Code text={publishableKey} copyLabel="Copy the publishable key" />
        </Card>
        <Card
          title="Secret key"
          about="Of servers: it passes every policy. The console does not show it; the machine does."
        >
          <Code text="clew keys" copyLabel="Copy the command" />
        </Card>
        <Card
          title="Keys of tokens"
          about="One signs the access tokens of users; all verify, so that nobody is signed out by a rotation. Others read the public ones at /auth/v1/.well-known/jwks.json."
        >
          {keys.length === 0 ? (
            <p className="text-ink-2">Tokens are signed with the shared secret (HS256), which is never published.</p>
          ) : (
            <ul aria-label="Keys of tokens" className="grid divide-y divide-line">
              {keys.map(({ kid, algorithm, signs }) => (
                <li key={kid} className="flex items-center gap-3 py-2">
                  <span className="mono min-w-0 flex-1 truncate" title={kid}>
                    {kid}
                  </span>
                  <span className="text-ink-2">{algorithm}</span>
                  <Badge tone={signs ? 'ok' : 'quiet'}>{signs ? 'signs' : 'verifies'}</Badge>
                </li>
              ))}
            </ul>
          )}
          <p className="text-ink-2 text-sm">
            A new key signs at once in the running instance. When a key was last used is not recorded.
          </p>
          <Code text="clew keys rotate" copyLabel="Copy the command" />
        </Card>
      </div>
    </div>
  )
}
