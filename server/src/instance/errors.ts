import { catalogue } from '../ground/errors/catalogue.ts'

/** Every way a start is refused. These are printed, not answered, so their status is the process's exit code. */
export const instanceError = catalogue({
  CLEW_START_RUNNING: {
    status: 3,
    message: 'Another process already runs on this data directory.',
    mend: 'Stop it with `clew stop`, or give this one another directory with `--data`.',
  },
  CLEW_START_SETTING: {
    status: 2,
    message: 'A setting is wrong.',
    mend: 'Correct it where it was set: the flag, the environment or clew.toml.',
  },
  CLEW_START_PORT: {
    status: 4,
    message: 'A port is already taken.',
    mend: 'Stop what listens there, or choose another port.',
  },
  CLEW_START_PROJECT: {
    status: 5,
    message: 'The project folder could not be applied.',
    mend: 'Correct the file named above and start again; nothing of it was kept.',
  },
  CLEW_START_KEYS: {
    status: 7,
    message: 'The signing keys could not be used.',
    mend: 'Correct the file named above: a JSON array of JSON Web Keys, one of them with "sign" among its key_ops.',
  },
  CLEW_NOT_RUNNING: {
    status: 6,
    message: 'Nothing runs on this data directory.',
    mend: 'Start it with `clew start`, or name the directory with `--data`.',
  },
})
