import { useMutation, useQuery } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { AuthSetup } from '../../lib/api/schemas.ts'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { useToast } from '../../ui/toast.tsx'
import { mailPreviewQuery } from './queries.ts'

type Mail = AuthSetup['mails'][number]

interface MailsPartProps {
  readonly setup: Pick<AuthSetup, 'mails' | 'hasMailHook'>
  readonly open: string | undefined
  readonly onOpen: (kind: string | undefined) => void
}

/** What a mail is called. */
const nameOf = ({ kind }: Mail): string => kind.replaceAll('_', ' ')

const columns: readonly TableColumn<Mail>[] = [
  { id: 'kind', title: 'Mail', cell: (mail) => <span className="font-medium">{nameOf(mail)}</span> },
  {
    id: 'on',
    title: 'Sent',
    width: 84,
    cell: ({ enabled }) => (enabled ? 'on' : <span className="text-ink-2">off</span>),
  },
  {
    id: 'source',
    title: 'Text',
    width: 240,
    from: 'sheet',
    cell: ({ source }) => <span className="text-ink-2">{source}</span>,
  },
]

/** The mails that auth sends: how each looks, and a test of it. */
export function MailsPart({ setup: { mails, hasMailHook }, open, onOpen }: MailsPartProps) {
  const mail = mails.find(({ kind }) => kind === open)
  return (
    <>
      {hasMailHook && (
        <p className="border-line border-b px-4 py-2 text-warn">
          A hook words and sends the mails (hook_send_email_uri): these texts are not used.
        </p>
      )}
      <Table
        label="Mails"
        columns={columns}
        rows={mails}
        rowKey={({ kind }) => kind}
        onOpen={({ kind }) => onOpen(kind)}
        openKey={open}
      />
      <Drawer
        open={mail !== undefined}
        onClose={() => onOpen(undefined)}
        title={mail && `Mail: ${nameOf(mail)}`}
        actions={mail && <TestMail mail={mail} />}
      >
        {mail && <OpenMail key={mail.kind} mail={mail} />}
      </Drawer>
    </>
  )
}

function TestMail({ mail: { kind } }: { readonly mail: Mail }) {
  const toast = useToast()
  const send = useMutation({
    mutationFn: () => api.sendTestMail(kind),
    onSuccess: ({ to }) => toast.add({ title: `Sent to ${to}` }),
    onError: (error) => toast.add({ title: 'That did not work.', description: errorText(error) }),
  })
  return (
    <Button disabled={send.isPending} onClick={() => send.mutate()}>
      Send me a test
    </Button>
  )
}

function OpenMail({ mail: { kind, prefix } }: { readonly mail: Mail }) {
  const { data: preview, error } = useQuery(mailPreviewQuery(kind))
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 p-4">
      {error ? (
        <p role="alert" className="text-danger">
          {errorText(error)}
        </p>
      ) : preview === undefined ? (
        <SkeletonRows rows={8} />
      ) : (
        <>
          <p>
            <span className="text-ink-2">Subject</span> {preview.subject}
          </p>
          {/* Nothing in it may run, load or lead the console elsewhere. */}
          <iframe
            title="How the mail looks"
            sandbox=""
            srcDoc={preview.html}
            className="h-80 w-full rounded-control border border-line bg-white"
          />
        </>
      )}
      <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
        <h2 className="font-semibold">Change it</h2>
        <p className="text-ink-2">
          In clew.toml; the file is below the project folder, and read for each mail. The lines hold after a restart.
        </p>
        <Code
          text={[
            '[auth]',
            ...(prefix.startsWith('email_notification') ? [`${prefix}_enabled = true`] : []),
            `${prefix}_subject = "…"`,
            `${prefix}_content_path = "./mails/${kind}.html"`,
          ].join('\n')}
          copyLabel="Copy the lines"
        />
      </section>
    </div>
  )
}
