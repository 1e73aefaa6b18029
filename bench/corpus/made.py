# SPDX-License-Identifier: Zlib
"""made.py - bodies that no package ships: replies of a cloud's and a shop's API, and a long listing as a page.

make("RECIPE:COUNT") gives the same bytes everywhere: the random numbers are our own, and nothing depends on
dictionaries' order, the locale or the Python version.
"""
import json


class Random:
    """xorshift64*: 64-bit state, the upper 32 bits of the product are the number."""

    def __init__(self, seed):
        self.state = seed * 0x9E3779B97F4A7C15 & (1 << 64) - 1 or 1

    def below(self, limit):
        x = self.state
        x ^= x >> 12
        x = (x ^ x << 25) & (1 << 64) - 1
        x ^= x >> 27
        self.state = x
        return ((x * 0x2545F4914F6CDD1D & (1 << 64) - 1) >> 32) % limit

    def pick(self, choices):
        return choices[self.below(len(choices))]

    def hexadecimal(self, digits):
        return "".join(self.pick("0123456789abcdef") for _ in range(digits))

    def instant(self):
        return "2026-%02d-%02dT%02d:%02d:%02d.000Z" % (1 + self.below(12), 1 + self.below(28), self.below(24), self.below(60),
                                                     self.below(60))


def compact(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


WORDS = ("archive bearing canvas delta ember fabric garden harbour island jasmine kernel lantern meadow needle orchard "
         "pepper quarry ribbon saddle timber umbrella velvet willow yellow zephyr copper bridge signal winter summer").split()


def instance(random, subnet):
    """One virtual machine, as a cloud's DescribeInstances lists it."""
    address = "10.%d.%d.%d" % (subnet["octet"], random.below(16), 4 + random.below(250))
    interface = "eni-" + random.hexadecimal(17)
    started = random.instant()
    groups = [{"GroupName": name, "GroupId": group} for name, group in subnet["groups"][:1 + random.below(3)]]
    dns = "ip-%s.%s.compute.internal" % (address.replace(".", "-"), subnet["zone"][:-1])
    return {
        "AmiLaunchIndex": random.below(4), "ImageId": random.pick(subnet["images"]),
        "InstanceId": "i-" + random.hexadecimal(17), "InstanceType": random.pick(subnet["types"]),
        "KeyName": "deploy-" + subnet["zone"], "LaunchTime": started, "Monitoring": {"State": random.pick(["disabled", "enabled"])},
        "Placement": {"AvailabilityZone": subnet["zone"], "GroupName": "", "Tenancy": "default"},
        "PrivateDnsName": dns, "PrivateIpAddress": address, "ProductCodes": [],
        "State": {"Code": 16, "Name": "running"} if random.below(8) else {"Code": 80, "Name": "stopped"},
        "SubnetId": subnet["id"], "VpcId": subnet["vpc"], "Architecture": "x86_64",
        "BlockDeviceMappings": [{"DeviceName": "/dev/xvda", "Ebs": {"AttachTime": started, "DeleteOnTermination": True,
                                 "Status": "attached", "VolumeId": "vol-" + random.hexadecimal(17)}}],
        "ClientToken": "-".join(random.hexadecimal(n) for n in (8, 4, 4, 4, 12)), "EbsOptimized": bool(random.below(2)),
        "Hypervisor": "xen", "NetworkInterfaces": [{
            "Attachment": {"AttachTime": started, "AttachmentId": "eni-attach-" + random.hexadecimal(17),
                           "DeleteOnTermination": True, "DeviceIndex": 0, "Status": "attached"},
            "Groups": groups, "Ipv6Addresses": [], "MacAddress": ":".join(random.hexadecimal(2) for _ in range(6)),
            "NetworkInterfaceId": interface, "OwnerId": subnet["owner"], "PrivateDnsName": dns, "PrivateIpAddress": address,
            "PrivateIpAddresses": [{"Primary": True, "PrivateDnsName": dns, "PrivateIpAddress": address}],
            "SourceDestCheck": True, "Status": "in-use", "SubnetId": subnet["id"], "VpcId": subnet["vpc"]}],
        "RootDeviceName": "/dev/xvda", "RootDeviceType": "ebs", "SecurityGroups": groups, "SourceDestCheck": True,
        "Tags": [{"Key": "Name", "Value": "%s-%s-%02d" % (random.pick(WORDS), random.pick(["web", "api", "db", "queue"]),
                                                         random.below(40))},
                 {"Key": "environment", "Value": random.pick(["production", "staging", "test"])}],
        "VirtualizationType": "hvm"}


def ec2(count):
    """Reservations with count machines in two subnets."""
    random = Random(2)
    owner = "".join(random.pick("0123456789") for _ in range(12))
    subnets = [{"octet": octet, "zone": zone, "owner": owner, "id": "subnet-" + random.hexadecimal(17),
                "vpc": "vpc-" + random.hexadecimal(17), "images": ["ami-" + random.hexadecimal(17) for _ in range(3)],
                "types": ["t3.micro", "t3.large", "m5.xlarge", "c6i.2xlarge"],
                "groups": [(name, "sg-" + random.hexadecimal(17)) for name in ("default", "web", "ssh-internal")]}
               for octet, zone in ((12, "eu-central-1a"), (40, "eu-central-1b"))]
    return compact({"Reservations": [{"Groups": [], "Instances": [instance(random, random.pick(subnets))], "OwnerId": owner,
                                      "ReservationId": "r-" + random.hexadecimal(17)} for _ in range(count)]})


def order(random, number):
    lines = [{"sku": "%s-%04d" % (random.pick(WORDS)[:3].upper(), random.below(3000)), "title": "%s %s" % (
        random.pick(WORDS).capitalize(), random.pick(WORDS)), "quantity": 1 + random.below(4),
        "price": {"amount": "%d.%02d" % (1 + random.below(300), random.below(100)), "currency": "EUR"},
        "available": bool(random.below(9))} for _ in range(1 + random.below(4))]
    customer = random.below(90000)
    return {"id": number, "href": "/v2/orders/%d" % number, "status": random.pick(["paid", "packed", "shipped", "returned"]),
            "created_at": random.instant(), "updated_at": random.instant(),
            "customer": {"id": customer, "href": "/v2/customers/%d" % customer, "email": "%s.%s@example.org" % (
                random.pick(WORDS), random.pick(WORDS)), "note": None}, "lines": lines,
            "shipping": {"method": random.pick(["standard", "express", "pickup"]), "tracking": None if random.below(3) else
                         random.hexadecimal(16), "weight_g": 100 * (1 + random.below(120))}}


def orders(count):
    """A page of a shop's orders."""
    random = Random(3)
    return compact({"total": 48211, "page": 7, "per_page": count, "next": "/v2/orders?page=8", "orders": [
        order(random, 1020300 + 7 * i + random.below(7)) for i in range(count)]})


ROW = """      <tr class="row %s" id="f%d">
        <td class="icon"><svg width="16" height="16"><use href="#%s"></use></svg></td>
        <td class="name"><a href="/files/%s" title="%s">%s</a></td>
        <td class="size">%s</td>
        <td class="date"><time datetime="%s">%s</time></td>
        <td class="owner">%s</td>
      </tr>
"""


def listing(count):
    """A directory listing of count files as a page."""
    random = Random(5)
    rows = []
    for i in range(count):
        kind = random.pick(["pdf", "png", "txt", "csv", "zip", "html"])
        name = "%s-%s%s.%s" % (random.pick(WORDS), random.pick(WORDS), random.pick(["", "-draft", "-%d" % random.below(90)]), kind)
        date = random.instant()
        rows.append(ROW % (random.pick(["even", "odd", "odd new"]), 4000 + i, kind, name, name, name,
                           "%d.%d %s" % (1 + random.below(900), random.below(10), random.pick(["KB", "MB"])), date,
                           date[:10] + " " + date[11:16], random.pick(WORDS).capitalize()))
    return ("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n  <meta charset=\"utf-8\">\n  <title>Index of /files</title>\n"
            "  <link rel=\"stylesheet\" href=\"/static/listing.css\">\n</head>\n<body>\n  <h1>Index of /files</h1>\n"
            "  <table class=\"listing\">\n    <tbody>\n" + "".join(rows) + "    </tbody>\n  </table>\n</body>\n</html>\n").encode()


RECIPES = {"ec2": ec2, "orders": orders, "listing": listing}


def make(recipe):
    """The bytes of "NAME:COUNT"; KeyError or ValueError if there is no such recipe."""
    name, count = recipe.split(":")
    return RECIPES[name](int(count))
