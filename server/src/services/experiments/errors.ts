import { catalogue } from '../../ground/errors/catalogue.ts'

/** The errors of experiments in the console. */
export const experimentsError = catalogue({
  CLEW_EXPERIMENTS_NOT_FOUND: {
    status: 404,
    message: 'There is no such experiment.',
    hint: 'It may have been archived: reload the list.',
  },
  CLEW_EXPERIMENTS_CHANGED: {
    status: 409,
    message: 'The experiment was changed meanwhile.',
    hint: 'Look at what it is now, and save again what you want of yours.',
  },
  CLEW_EXPERIMENTS_DEFINITION: {
    status: 400,
    message: 'The experiment cannot be measured as it is defined.',
    hint: 'Correct what the message names; nothing was stored.',
  },
  CLEW_EXPERIMENTS_STARTED: {
    status: 409,
    message: 'The flag of an experiment that has begun cannot be changed.',
    hint: 'Archive the experiment, and begin another one.',
  },
  CLEW_EXPERIMENTS_TOO_MANY: {
    status: 409,
    message: 'There are as many experiments as the settings allow.',
    hint: 'Archive some, or raise max_experiments.',
  },
  CLEW_EXPERIMENTS_TOO_LARGE: {
    status: 422,
    message: 'The experiment has more persons than the settings let be counted.',
    hint: 'Raise max_persons in the settings of experiments, or end the experiment earlier.',
  },
  CLEW_EXPERIMENTS_ROWS: {
    status: 422,
    message: 'The table of a metric cannot be read.',
    hint: 'Correct the table and the columns that the message names.',
  },
})
