/** Programs that send the first mail. The key is in the environment. */
export type Language = 'curl' | 'node' | 'java' | 'python';

interface First {
  readonly url: string;
  readonly from: string;
  readonly to: string;
}

function body({ from, to }: First): string {
  return JSON.stringify({ from, to: [to], subject: 'Hello from Mailroom', text: 'It works.' });
}

export const programs: Record<Language, (mail: First) => string> = {
  curl: (mail) => `curl ${mail.url} \\
  -H "Authorization: Bearer $MAILROOM_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '${body(mail)}'`,
  node: (mail) => `const response = await fetch('${mail.url}', {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${process.env.MAILROOM_API_KEY}\`,
    'Content-Type': 'application/json',
  },
  body: JSON.stringify(${body(mail)}),
});
console.log(await response.json());`,
  java: (mail) => `var request = HttpRequest.newBuilder(URI.create("${mail.url}"))
    .header("Authorization", "Bearer " + System.getenv("MAILROOM_API_KEY"))
    .header("Content-Type", "application/json")
    .POST(BodyPublishers.ofString("""
        ${body(mail)}"""))
    .build();
System.out.println(HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body());`,
  python: (mail) => `import json, os, urllib.request

request = urllib.request.Request("${mail.url}",
    data=json.dumps(${body(mail)}).encode(),
    headers={"Authorization": "Bearer " + os.environ["MAILROOM_API_KEY"],
             "Content-Type": "application/json"})
print(urllib.request.urlopen(request).read().decode())`,
};
