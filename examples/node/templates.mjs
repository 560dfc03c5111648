import { Mailroom } from '@mailroom/sdk';

const mailroom = new Mailroom();

// #region templates
const template = await mailroom.templates.create({
  name: 'Welcome',
  subject: 'Welcome, {{first_name|friend}}',
  html_content: '<p>Hello {{first_name|friend}}, your code is {{code}}.</p>',
});

const { missing } = await mailroom.templates.render(template.id, { variables: { first_name: 'Ann' } });
console.log('without a value:', missing);

await mailroom.emails.send({
  from: 'Shop <hello@shop.test>',
  to: 'ann@example.test',
  template_id: template.id,
  variables: { first_name: 'Ann', code: 4711 },
});
// #endregion
