package dev.mailroom.spring.test;

import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestExecutionListener;

/** Empties the outbox after each test. */
class OutboxReset implements TestExecutionListener {

	@Override
	public void afterTestMethod(TestContext test) {
		test.getApplicationContext().getBean(Outbox.class).clear();
	}

}
