import type { Mail } from '../../../engines/mail/index.ts'
import type { Operator, OperatorRole } from '../accounts/store.ts'

/** The text of an invitation. */
export interface InvitationText {
  readonly to: string
  readonly role: OperatorRole
  readonly by: Operator
  readonly project: string
  readonly url: string
  readonly hours: number
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`)

/** The mail that brings an invitation's link. */
export function renderInvitation({ to, role, by, project, url, hours }: InvitationText): Mail {
  const subject = `${by.name} invites you to ${project}`
  const says = `${by.name} (${by.email}) invites you to the console of ${project}, as ${role === 'analyst' || role === 'owner' ? 'an' : 'a'} ${role}.`
  const lasts = `The link is good once, for ${hours} hours. If you do not know ${by.email}, ignore this mail.`
  return {
    to,
    subject,
    kind: 'operator_invitation',
    text: `${says}\n\n${url}\n\n${lasts}\n`,
    html: `<p>${escaped(says)}</p><p><a href="${escaped(url)}">Join the team</a></p><p>${escaped(lasts)}</p>`,
  }
}
