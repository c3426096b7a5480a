import { catalogue } from '../../ground/errors/catalogue.ts'

/** The errors of recordings that come as files. */
export const replayError = catalogue({
  CLEW_REPLAY_FILE_FORM: {
    status: 400,
    message: 'This is no recording of Clew.',
    hint: 'Send a file that `clew recordings export` or the session’s menu in the console has written.',
  },
  CLEW_REPLAY_FILE_VERSION: {
    status: 400,
    message: 'The file has another form than this version of Clew reads.',
    hint: 'Import it with the release that wrote it, or a newer one.',
  },
  CLEW_REPLAY_FILE_DAMAGED: {
    status: 400,
    message: 'The file is damaged, or not all of it is there.',
    hint: 'Download or copy it again. The messages before the damage are stored, and are not stored a second time.',
  },
  CLEW_REPLAY_FILE_TOO_LARGE: {
    status: 413,
    message: 'The recording is larger than this instance takes.',
    hint: 'Raise `replay.max_recording_file_mib` in the settings, if the file is to be trusted.',
  },
  CLEW_REPLAY_FILE_BUSY: {
    status: 503,
    message: 'Too much is being read at the moment.',
    hint: 'Import the file again in a moment; what was stored is not stored a second time.',
  },
})
