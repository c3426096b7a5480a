import {
  choice,
  type Declared,
  flag,
  integer,
  optionalAddress,
  optionalText,
} from '../../../ground/settings/setting.ts'

/** The settings of captchas; names follow `[auth.captcha]` of a `config.toml`. */
export const captchaSettings = {
  captchaEnabled: flag({ default: false, about: 'Whether signing up and in asks for a captcha.' }),
  captchaProvider: choice<'hcaptcha' | 'turnstile'>({
    default: 'hcaptcha',
    words: ['hcaptcha', 'turnstile'],
    about: 'Who checks captchas.',
  }),
  captchaSecret: optionalText({ default: null, secret: true, about: 'The secret that the checker gave.' }),
  captchaUrl: optionalAddress({
    schemes: ['https', 'http'],
    default: null,
    about: 'Where captchas are checked, when that is not the provider’s own address.',
  }),
  captchaTimeoutSeconds: integer({ default: 5, min: 1, max: 9, about: 'How long the checker may take.' }),
} satisfies Declared
