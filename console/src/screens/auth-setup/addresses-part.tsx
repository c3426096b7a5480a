import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { AuthSetup } from '../../lib/api/schemas.ts'
import { Dot } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Code } from '../../ui/code.tsx'
import { Field } from '../../ui/field.tsx'

type Setting = AuthSetup['settings'][number]

const shown = ['site_url', 'additional_redirect_urls', 'external_url']

/** Where links lead, and a try of an address. */
export function AddressesPart({ settings }: { readonly settings: readonly Setting[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1)
    <div className="min-h-0 flex-1 overflow-y-auto" tabIndex={0}>
      <div className="mx-auto grid max-w-[720px] gap-4 px-4 py-6">
        <RedirectTest />
        {shown
          .flatMap((name) => settings.filter((setting) => setting.name === name))
          .map((setting) => (
            <Card key={setting.name} title={setting.name} about={setting.description}>
              <Code text={`[auth]\n${setting.line}`} copyLabel={`Copy ${setting.name}`} />
              <p className="text-ink-2 text-sm">{setting.from === null ? 'The default.' : `From ${setting.from}.`}</p>
            </Card>
          ))}
      </div>
    </div>
  )
}

function RedirectTest() {
  const [url, setUrl] = useState('')
  const attempt = useMutation({ mutationFn: api.tryRedirect })
  const { data, error } = attempt
  return (
    <Card title="Would this redirect be allowed?" about="redirectTo of a sign-in or a mail, as the client sends it.">
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          attempt.mutate(url.trim())
        }}
      >
        <div className="flex items-end gap-2">
          <Field
            label="Address"
            value={url}
            onChange={(event) => setUrl(event.target.value)}
            placeholder="https://app.example.com/welcome"
            autoComplete="off"
            spellCheck={false}
            className="flex-1"
          />
          <Button type="submit" className="h-8" disabled={url.trim() === '' || attempt.isPending}>
            Try
          </Button>
        </div>
        <div role="status" className="wrap-anywhere">
          {error && <span className="text-danger">{errorText(error)}</span>}
          {data &&
            (data.isAllowed ? (
              <Dot tone="ok">Allowed: it leads there.</Dot>
            ) : (
              <>
                <Dot tone="warn">Not allowed.</Dot> It leads to <span className="mono">{data.leadsTo}</span>. To allow
                it, name it in additional_redirect_urls.
              </>
            ))}
        </div>
      </form>
    </Card>
  )
}
