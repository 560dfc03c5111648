package dev.mailroom.domain;

import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Lets an app ask a name server of the test, unless the test names another one, and
 * receive reports.
 */
public final class SharedDns implements ApplicationContextInitializer<ConfigurableApplicationContext> {

	/** The name server. */
	public static final TestDns DNS = new TestDns();

	@Override
	public void initialize(ConfigurableApplicationContext context) {
		if (context.getEnvironment().getProperty("mailroom.dns-servers", "").isEmpty()) {
			TestPropertyValues.of("mailroom.dns-servers=" + DNS.address()).applyTo(context);
		}
		TestPropertyValues
			.of("mailroom.report-domain=reports.platform.test", "mailroom.tracking-host=links.platform.test")
			.applyTo(context);
	}

}
