import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorProblem } from '../../frame/failure.tsx'
import type { MailDetail } from '../../lib/api/schemas.ts'
import { Drawer } from '../../ui/drawer.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Time } from '../../ui/time.tsx'
import { mailQuery } from './queries.ts'

interface MailDrawerProps {
  /** Nothing is open without it. */
  readonly id: string | undefined
  readonly onClose: () => void
}

/** A mail opened in place, as its reader sees it. */
export function MailDrawer({ id, onClose }: MailDrawerProps) {
  const { data, error, refetch } = useQuery({ ...mailQuery(id ?? ''), enabled: id !== undefined })
  return (
    <Drawer open={id !== undefined} onClose={onClose} title={data?.subject ?? 'Mail'}>
      {error && !data ? (
        <ErrorProblem error={error} onRetry={refetch} />
      ) : data === undefined ? (
        <SkeletonRows rows={8} />
      ) : (
        <Mail key={data.id} mail={data} />
      )}
    </Drawer>
  )
}

type Look = 'html' | 'text'

function Mail({ mail }: { readonly mail: MailDetail }) {
  const [look, setLook] = useState<Look>(mail.html === '' ? 'text' : 'html')
  const text = <pre className="mono min-h-0 flex-1 overflow-auto whitespace-pre-wrap break-words p-4">{mail.text}</pre>
  return (
    <>
      <Facts className="p-4">
        <Fact name="To">{mail.to}</Fact>
        <Fact name="From">{mail.from}</Fact>
        <Fact name="Sent">
          <Time at={mail.at} look="clock" />
        </Fact>
      </Facts>
      {mail.html === '' ? (
        text
      ) : (
        <Tabs<Look>
          label="Mail"
          value={look}
          onChange={setLook}
          className="flex-1"
          tabs={[
            {
              name: 'html',
              label: 'As it looks',
              // Nothing in it may run, load or lead the console elsewhere; its links open in a tab of their own.
              panel: (
                <iframe
                  title="The mail"
                  sandbox="allow-popups allow-popups-to-escape-sandbox"
                  srcDoc={`<base target="_blank">${mail.html}`}
                  className="min-h-96 w-full flex-1 bg-white"
                />
              ),
            },
            { name: 'text', label: 'Text', panel: text },
          ]}
        />
      )}
    </>
  )
}
