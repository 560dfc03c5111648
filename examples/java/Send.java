import java.time.Duration;

import dev.mailroom.sdk.AcceptedEmail;
import dev.mailroom.sdk.Mailroom;

public class Send {

	public static void main(String[] args) {
		Mailroom mailroom = Mailroom.create();
		AcceptedEmail sent = mailroom.emails()
			.send((mail) -> mail.from("Shop <hello@shop.test>")
				.to("ann@example.test")
				.subject("Hello from Java")
				.text("It works."));
		System.out.println(mailroom.emails().waitFor(sent.id(), Duration.ofMinutes(1)).status());
	}

}
