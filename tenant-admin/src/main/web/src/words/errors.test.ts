import { describe, expect, it } from 'vitest';
import { divide, Fault, missing, sentence, shown } from './errors';

describe('errors', () => {
  it('says what happened and what to do', () => {
    expect(shown(new Fault('service_unavailable', 'The database is unavailable', 503))).toEqual({
      title: 'The database does not answer.',
      text: 'The database is unavailable',
      action: 'retry',
    });
    expect(shown(new Fault('unauthorized', 'Sign in', 401)).action).toBe('sign-in');
    expect(shown(new Fault('rate_limit_exceeded', 'Wait', 429, 12)).action).toBe('wait');
    expect(shown(new Fault('unreachable', 'x')).action).toBe('retry');
    expect(shown(new Fault('forbidden', 'Not for you.', 403)).action).toBe('none');
  });

  it('does not tell a foreign object from a missing one', () => {
    expect(shown(new Fault('email_not_found', 'There is no email 1', 404)).title).toBe(
      'There is no such email, or it is not yours.',
    );
    expect(
      shown(
        new Fault(
          'invalid_request_data',
          "Variable 'id' has an invalid value: The value is not a valid UUID",
          400,
        ),
      ).title,
    ).toBe('There is no such page, or it is not yours.');
    expect(missing('api_key_not_found')).toBe('There is no such API key, or it is not yours.');
  });

  it('puts problems at their inputs, and the others above the button', () => {
    const problem = (field: string | null, message: string) => ({
      name: 'invalid_request_data',
      field,
      message,
    });
    expect(
      divide(
        [
          problem('current_password', "is not the account's password"),
          problem('to[0]', 'is not an address'),
          problem('html', 'is too long'),
          problem(null, 'No'),
        ],
        ['currentPassword', 'to'],
      ),
    ).toEqual({
      fields: { currentPassword: "Is not the account's password.", to: 'Is not an address.' },
      rest: ['html is too long.', 'No.'],
    });
  });

  it('has its own sentences for refusals of the contract', () => {
    expect(sentence({ name: 'duplicate_name', message: 'x', field: null })).toBe(
      'This name is in use. Choose another.',
    );
    expect(sentence({ name: 'other', message: 'Something else', field: null })).toBe('Something else.');
  });
});
