import { Conflict, InvalidRequest, Mailroom, PermissionDenied, QuotaExceeded } from '@mailroom/sdk';

const mailroom = new Mailroom();

// #region errors
try {
  await mailroom.emails.send({ from: 'Shop <hello@shop.test>', to: 'ann', subject: 'Hi', text: 'Hi' });
} catch (error) {
  if (error instanceof InvalidRequest)
    for (const { field, message } of error.details) console.log(field, message);
  else if (error instanceof PermissionDenied) console.log('missing:', error.requiredPermission);
  else if (error instanceof QuotaExceeded) console.log('again in', error.retryAfter, 's');
  else if (error instanceof Conflict) console.log('another mail has this key');
  else throw error;
}
// #endregion
