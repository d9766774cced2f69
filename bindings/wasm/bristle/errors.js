// Exceptions, in one hierarchy that follows the C library's list of statuses.

/** Base class of all exceptions of bristle. */
export class BristleError extends Error {
  /**
   * @param {string} [field] name of the wrong value, e.g. "sigma0"; empty if it is not a single value
   * @param {string} [reason] what is wrong and what is allowed, e.g. "must be > 0, got -1"
   */
  constructor(field = "", reason = "") {
    super([field, reason].filter(Boolean).join(": ") || "something went wrong");
    this.name = new.target.name;
    this.field = field;
    this.reason = reason;
  }
}

/** An argument of a call is out of its range, or arrays do not fit together. */
export class ArgumentError extends BristleError {}

/** A definition (law, patch, contact, body, ...) contains an invalid value. */
export class DefinitionError extends BristleError {}

/** Out of memory. */
export class NoMemoryError extends BristleError {}

/** A computation could not be finished. */
export class ConvergenceError extends BristleError {}

/** A run was stopped on request. */
export class StoppedError extends BristleError {}

/** This build does not have the requested feature. */
export class AbsentError extends BristleError {}

/** The exception of each status of C, by its number; 0 is success. */
export const BY_STATUS = [
  BristleError,
  ArgumentError,
  DefinitionError,
  NoMemoryError,
  ConvergenceError,
  StoppedError,
  AbsentError,
];
