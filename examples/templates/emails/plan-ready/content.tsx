import { Body, Button, Head, Heading, Html, Preview, Text } from 'react-email';

// A property that is not named here is its placeholder: plan is {{plan}}.
export const templateProps = { name: '{{name|friend}}' };

export default function PlanReady({ name, plan, url }) {
  return (
    <Html lang="en">
      <Head />
      <Body style={{ fontFamily: 'sans-serif' }}>
        <Preview>Your plan {plan} is ready.</Preview>
        <Heading>Hello {name}</Heading>
        <Text>Your plan {plan} is ready.</Text>
        <Button href={url}>Start</Button>
      </Body>
    </Html>
  );
}
