package dev.mailroom.http;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import dev.mailroom.HouseRules;
import org.junit.jupiter.api.Test;

import org.springframework.modulith.core.ApplicationModules;

@AnalyzeClasses(packages = "dev.mailroom.http", importOptions = ImportOption.DoNotIncludeTests.class)
class HouseTest {

	@ArchTest
	static final ArchTests HOUSE = ArchTests.in(HouseRules.class);

	@Test
	void packagesKeepToTheirDeclaredDependencies() {
		ApplicationModules.of("dev.mailroom.http").verify();
	}

}
