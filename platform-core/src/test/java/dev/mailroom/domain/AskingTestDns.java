package dev.mailroom.domain;

import dev.mailroom.CoreTest;

import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** The core with the tests' own name server: one context for all that ask it. */
@CoreTest
class AskingTestDns {

	static final TestDns DNS = new TestDns();

	@DynamicPropertySource
	static void askTheTestsOwnServer(DynamicPropertyRegistry registry) {
		registry.add("mailroom.dns-servers", DNS::address);
		registry.add("mailroom.mx-host", () -> "mx.platform.test");
		registry.add("mailroom.spf-include", () -> "spf.platform.test");
	}

	static void publish(Domain domain) {
		domain.records().forEach((record) -> DNS.publish(record.type(), record.host(), record.value()));
	}

	static void unpublish(Domain domain) {
		domain.records().forEach((record) -> DNS.remove(record.type(), record.host()));
	}

}
