import type { Sessions } from '../sessions/sessions.ts'
import type { CaptchaSettings } from './settings.ts'

/** The dependencies of the check of captchas. */
export interface CaptchaDeps extends Pick<Sessions, 'checkAdmin'> {
  readonly settings: CaptchaSettings
}
