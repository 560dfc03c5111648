package dev.mailroom.spring;

import dev.mailroom.sdk.Mailroom;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.mail.MailSender;
import org.springframework.mail.javamail.JavaMailSender;

/**
 * Configures a mail sender in place of that of {@code spring.mail}, unless the
 * application has one.
 */
@AutoConfiguration(after = MailroomAutoConfiguration.class,
		beforeName = { "org.springframework.boot.mail.autoconfigure.MailSenderAutoConfiguration",
				"org.springframework.boot.autoconfigure.mail.MailSenderAutoConfiguration" })
@ConditionalOnClass(MailSender.class)
@ConditionalOnBean(Mailroom.class)
@ConditionalOnMissingBean(MailSender.class)
@ConditionalOnProperty(name = "mailroom.mail-sender.enabled", matchIfMissing = true)
public class MailroomMailSenderAutoConfiguration {

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(name = MimeMailSender.MIME)
	static class WithJakartaMail {

		@Bean
		JavaMailSender mailSender(Mailroom mailroom, MailroomProperties properties) {
			return new MimeMailSender(mailroom, properties.from());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnMissingClass(MimeMailSender.MIME)
	static class WithoutJakartaMail {

		@Bean
		MailSender mailSender(Mailroom mailroom, MailroomProperties properties) {
			return new SimpleMailSender(mailroom, properties.from());
		}

	}

}
