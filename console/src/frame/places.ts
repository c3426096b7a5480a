import type { LucideIcon } from 'lucide-react'
import {
  ArchiveRestore,
  Bug,
  ChartNoAxesColumn,
  Clapperboard,
  Clock,
  CloudUpload,
  FileStack,
  Flag,
  FlaskConical,
  HardDrive,
  House,
  Inbox,
  Layers,
  LockKeyhole,
  MessageCircleQuestionMark,
  MousePointerClick,
  Network,
  Radio,
  ScrollText,
  ShieldCheck,
  SquareFunction,
  SquareTerminal,
  Table2,
  UserRound,
  UserRoundCog,
  Users,
  Webhook,
} from 'lucide-react'

interface Place {
  readonly to:
    | '/'
    | '/sessions'
    | '/people'
    | '/events'
    | '/flags'
    | '/experiments'
    | '/errors'
    | '/surveys'
    | '/data'
    | '/sql'
    | '/users'
    | '/mails'
    | '/storage'
    | '/functions'
    | '/realtime'
    | '/schema'
    | '/schema/migrations'
    | '/jobs'
    | '/queues'
    | '/webhooks'
    | '/vault'
    | '/requests'
    | '/settings/privacy'
    | '/settings/team'
    | '/settings/exports'
    | '/settings/backups'
    | '/audit'
  readonly label: string
  readonly icon: LucideIcon
}

/** The screens that exist, in the three jobs people come for, what the database does by itself, and who may do what. */
export const places: readonly { readonly job: string; readonly screens: readonly Place[] }[] = [
  {
    job: 'Understand',
    screens: [
      { to: '/', label: 'Home', icon: House },
      { to: '/sessions', label: 'Sessions', icon: Clapperboard },
      { to: '/people', label: 'People', icon: Users },
      { to: '/events', label: 'Events', icon: MousePointerClick },
      { to: '/flags', label: 'Flags', icon: Flag },
      { to: '/experiments', label: 'Experiments', icon: FlaskConical },
      { to: '/errors', label: 'Errors', icon: Bug },
      { to: '/surveys', label: 'Surveys', icon: MessageCircleQuestionMark },
    ],
  },
  {
    job: 'Build',
    screens: [
      { to: '/data', label: 'Data', icon: Table2 },
      { to: '/schema', label: 'Schema', icon: Network },
      { to: '/sql', label: 'SQL', icon: SquareTerminal },
      { to: '/users', label: 'Auth', icon: UserRound },
      { to: '/mails', label: 'Inbox', icon: Inbox },
      { to: '/storage', label: 'Storage', icon: HardDrive },
      { to: '/functions', label: 'Functions', icon: SquareFunction },
      { to: '/realtime', label: 'Realtime', icon: Radio },
      { to: '/schema/migrations', label: 'Migrations', icon: FileStack },
    ],
  },
  {
    job: 'Integrations',
    screens: [
      { to: '/jobs', label: 'Jobs', icon: Clock },
      { to: '/queues', label: 'Queues', icon: Layers },
      { to: '/webhooks', label: 'Webhooks', icon: Webhook },
      { to: '/vault', label: 'Vault', icon: LockKeyhole },
    ],
  },
  { job: 'Answer', screens: [{ to: '/requests', label: 'Requests', icon: ChartNoAxesColumn }] },
  {
    job: 'Setup',
    screens: [
      { to: '/settings/privacy', label: 'Privacy', icon: ShieldCheck },
      { to: '/settings/team', label: 'Team', icon: UserRoundCog },
      { to: '/settings/exports', label: 'Exports', icon: CloudUpload },
      { to: '/settings/backups', label: 'Backups', icon: ArchiveRestore },
      { to: '/audit', label: 'Audit log', icon: ScrollText },
    ],
  },
]
