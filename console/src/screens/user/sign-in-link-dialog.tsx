import { useMutation } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { UserDetail } from '../../lib/api/schemas.ts'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Dialog } from '../../ui/dialog.tsx'

interface SignInLinkDialogProps {
  readonly open: boolean
  readonly user: UserDetail
  readonly onClose: () => void
}

/** A link that signs in as a user; that it was asked for stands in the audit log. */
export function SignInLinkDialog({ open, user, onClose }: SignInLinkDialogProps) {
  const make = useMutation({ mutationFn: () => api.signInLink(user.id), gcTime: 0 })
  return (
    <Dialog open={open} onClose={onClose} title="Sign in as this user">
      <div className="grid gap-4">
        <p>
          The link signs in as {user.email}, once. What is done there is done in this user’s name, and looks so in
          histories. That you asked for it is written into the audit log. A link of an earlier mail no longer works
          then.
        </p>
        {make.data ? (
          <>
            <Code text={make.data.link} copyLabel="Copy the link" />
            <p className="text-ink-2">Open it in a private window, so that your own sign-in stays.</p>
          </>
        ) : (
          <Button
            look="danger"
            size="large"
            className="justify-center"
            disabled={make.isPending}
            onClick={() => make.mutate()}
          >
            Make the link
          </Button>
        )}
        {make.error && (
          <p role="alert" className="text-danger">
            {errorText(make.error)}
          </p>
        )}
      </div>
    </Dialog>
  )
}
