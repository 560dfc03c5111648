package shop;

import java.nio.charset.StandardCharsets;

import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.mail.javamail.JavaMailSender;
import org.springframework.mail.javamail.MimeMessageHelper;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Takes orders: curl localhost:8080/orders -d number=17 -d email=ann@example.test */
@RestController
class Orders {

	private final JavaMailSender mails;

	private final String from;

	Orders(JavaMailSender mails, @Value("${shop.from}") String from) {
		this.mails = mails;
		this.from = from;
	}

	@PostMapping("/orders")
	String order(@RequestParam int number, @RequestParam String email) throws MessagingException {
		this.mails.send(confirmation(number, email));
		return "The confirmation is on its way.\n";
	}

	private MimeMessage confirmation(int number, String email) throws MessagingException {
		MimeMessage message = this.mails.createMimeMessage();
		MimeMessageHelper mail = new MimeMessageHelper(message, true);
		mail.setFrom(this.from);
		mail.setTo(email);
		mail.setSubject("Your order " + number + " – thank you");
		mail.setText("Your order " + number + ": https://shop.test/orders/" + number, """
				<p><img src="cid:logo" alt="Shop"></p>
				<p>Your <a href="https://shop.test/orders/%1$d">order %1$d</a>.</p>
				""".formatted(number));
		mail.addInline("logo", new ClassPathResource("logo.png"));
		mail.addAttachment("invoice.csv",
				new ByteArrayResource(("order,price\n" + number + ",9.50 €\n").getBytes(StandardCharsets.UTF_8)));
		return message;
	}

}
