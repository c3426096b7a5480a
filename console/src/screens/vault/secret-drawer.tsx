import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { isProofNeeded } from '../../frame/access-queries.ts'
import { useProof } from '../../frame/use-proof.tsx'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { Secret } from '../../lib/api/schemas.ts'
import { useRights } from '../../lib/rights.ts'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Time } from '../../ui/time.tsx'
import { DeleteSecretDialog } from './delete-secret-dialog.tsx'
import { SecretDialog } from './secret-dialog.tsx'

interface SecretDrawerProps {
  /** Nothing is open without it. */
  readonly id: string | undefined
  /** Absent when it is not in the list. */
  readonly secret: Secret | undefined
  readonly onChanged: () => void
  readonly onDeleted: () => void
  readonly onClose: () => void
}

/** A secret opened in place; its value is asked for apart. */
export function SecretDrawer({ id, secret, onChanged, onDeleted, onClose }: SecretDrawerProps) {
  return (
    <Drawer open={id !== undefined} onClose={onClose} title={secret?.name ?? id ?? ''}>
      {secret ? (
        <OpenSecret key={secret.id} secret={secret} onChanged={onChanged} onDeleted={onDeleted} />
      ) : (
        <Empty title="This secret is not in the list.">
          <p>It may have been deleted.</p>
        </Empty>
      )}
    </Drawer>
  )
}

type OpenSecretProps = Pick<SecretDrawerProps, 'onChanged' | 'onDeleted'> & { readonly secret: Secret }

function OpenSecret({ secret, onChanged, onDeleted }: OpenSecretProps) {
  const { canChange, canReveal } = useRights()
  const [dialog, setDialog] = useState<'change' | 'delete'>()
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5 p-4">
      <Facts>
        <Fact name="Name">
          <span className="mono">{secret.name ?? '–'}</span>
        </Fact>
        <Fact name="Description">{secret.description || '–'}</Fact>
        <Fact name="Id">
          <span className="mono">{secret.id}</span>
        </Fact>
        <Fact name="Created">
          <Time at={secret.createdAt} look="clock" />
        </Fact>
        <Fact name="Changed">
          <Time at={secret.updatedAt} look="clock" />
        </Fact>
      </Facts>
      {canReveal && <Value key={secret.updatedAt} id={secret.id} />}
      {canChange && (
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setDialog('change')}>Change</Button>
          <Button look="danger" onClick={() => setDialog('delete')}>
            Delete
          </Button>
        </div>
      )}
      <SecretDialog
        open={dialog === 'change'}
        secret={secret}
        onSaved={onChanged}
        onClose={() => setDialog(undefined)}
      />
      <DeleteSecretDialog
        open={dialog === 'delete'}
        secret={secret}
        onDeleted={onDeleted}
        onClose={() => setDialog(undefined)}
      />
    </div>
  )
}

/** The value, once it was asked for; it is kept in no cache. */
function Value({ id }: { readonly id: string }) {
  const proof = useProof()
  const reveal = useMutation({
    mutationFn: () => api.revealSecret(id),
    gcTime: 0,
    onError: (error) => proof.ask(error, () => reveal.mutate()),
  })
  const problem = reveal.error && !isProofNeeded(reveal.error) ? errorText(reveal.error) : undefined
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex items-center justify-between">
        <h2 className="font-semibold">Value</h2>
        {reveal.data ? (
          <Button onClick={() => reveal.reset()}>Hide</Button>
        ) : (
          <Button disabled={reveal.isPending} onClick={() => reveal.mutate()}>
            Reveal
          </Button>
        )}
      </div>
      {reveal.data ? (
        <Code text={reveal.data.secret} copyLabel="Copy the value" />
      ) : (
        <p className="text-ink-2">Hidden. Revealing it is written into the audit log.</p>
      )}
      {problem && (
        <p role="alert" className="text-danger">
          {problem}
        </p>
      )}
      {proof.dialog}
    </section>
  )
}
