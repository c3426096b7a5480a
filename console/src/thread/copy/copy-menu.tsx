import { useQuery } from '@tanstack/react-query'
import { instanceQuery } from '../../lib/api/queries.ts'
import type { RequestDetail } from '../../lib/api/schemas.ts'
import { inBackground } from '../../lib/in-background.ts'
import { Button } from '../../ui/button.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { Menu } from '../../ui/menu.tsx'
import { useToast } from '../../ui/toast.tsx'
import { renderCurl } from './curl.ts'
import { saveSessionTest } from './save-session-test.ts'
import { renderSupabaseJs } from './supabase-js.ts'

/** A request as code, to make it again elsewhere. */
export function CopyMenu({ detail }: { readonly detail: RequestDetail }) {
  const { data: instance } = useQuery(instanceQuery)
  const toast = useToast()
  const said = (title: string) => () => toast.add({ title })
  const failed = (problem: Error) => toast.add({ title: problem.message })
  const copy = (name: string, text: string) => inBackground(copyText(text).then(said(`Copied as ${name}`), failed))
  const code = renderSupabaseJs(detail)
  const { session } = detail
  return (
    <Menu
      trigger={<Button size="small">Copy as…</Button>}
      items={[
        ...(instance ? [{ label: 'curl', onSelect: () => copy('curl', renderCurl(detail, instance)) }] : []),
        ...(code === null ? [] : [{ label: 'supabase-js', onSelect: () => copy('supabase-js', code) }]),
        ...(session === null
          ? []
          : [
              {
                label: 'Playwright test of its session',
                onSelect: () => inBackground(saveSessionTest(session.id).then(said('Saved as a test'), failed)),
              },
            ]),
      ]}
    />
  )
}
