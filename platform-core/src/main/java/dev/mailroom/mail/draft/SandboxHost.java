package dev.mailroom.mail.draft;

import java.util.Locale;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.stereotype.Component;

/** The domain of the sandbox, whose addresses have fixed outcomes. */
@Component
public class SandboxHost {

	private final String name;

	SandboxHost(Settings settings) {
		this.name = "simulator." + settings.platformDomain().toLowerCase(Locale.ROOT);
	}

	/** The name of the domain. */
	public String name() {
		return this.name;
	}

	/** Whether a recipient belongs to the sandbox. */
	public boolean contains(String recipient) {
		int domain = recipient.lastIndexOf('@') + 1;
		return recipient.length() - domain == this.name.length()
				&& recipient.regionMatches(true, domain, this.name, 0, this.name.length());
	}

	/**
	 * Settings of the sandbox.
	 *
	 * @param platformDomain parent domain of the sandbox
	 */
	@ConfigurationProperties("mailroom")
	record Settings(@DefaultValue("mailroom.localhost") String platformDomain) {
	}

}
